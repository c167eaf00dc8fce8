/** A task as `ralph task create --file` reads it. */
interface ShowcaseTask {
  id: string;
  title: string;
  description?: string;
  priority?: number;
  dependencies?: readonly string[];
  completion: object;
}

type Criterion = string | { text: string; check: string };

const has = (name: string, text: string): string => `grep -q "${text}" src/${name}.js`;
const checked = (text: string, check: string): Criterion => ({ text, check });

function task(
  id: string,
  title: string,
  criteria: readonly Criterion[],
  more: Partial<ShowcaseTask> = {},
): ShowcaseTask {
  const { completion = {}, ...others } = more;
  return {
    id,
    title,
    ...others,
    completion: { outcome: `${title}: it works`, acceptance_criteria: criteria, ...completion },
  };
}

/** Seven criteria; the plans of the agent meet the first of them. */
const SEVEN = [
  "A return is registered with its order",
  "The label can be printed",
  "The customer gets a mail",
  "The stock is updated",
  "The money is returned within a day",
  "A broken item is photographed",
  "Returns after 30 days are refused",
].map((text, i) => checked(text, `grep -qx "feature ${i + 1}" src/returns.js`));

/** They end: done with different proof, or blocked. */
export const ENDED = [
  task(
    "CART-1",
    "Take coupons in the cart",
    [
      checked("A coupon takes 5 off", has("coupon", "total - 5")),
      checked("The file is there", "test -f src/coupon.js"),
    ],
    { priority: 1, description: "Customers get coupons by mail.\n\nThey type them into the **cart**." },
  ),
  task("CART-2", "Show prices in 日本円 💴 and 한국 원", [checked("円 is shown", has("currency", "円"))], {
    priority: 1,
    dependencies: ["CART-1"],
  }),
  task("DOCS-1", "Say what the package is", [checked("The package has a name", "grep -q shop package.json")]),
  task("TEXT-1", "Explain an empty cart", ["An empty cart says what to do", "It is friendly"]),
  task("MAIL-1", "Confirm an order by mail", [], {
    completion: { coder: word("MAILED"), tester: word("TESTED"), qa: word("USED") },
  }),
  task("RETURN-1", "Take back what does not fit", SEVEN, {
    completion: { coder: { promise: "RETURNED", max_iterations: 2 } },
  }),
  task("KEYS-1", "Send mails through the mail service", [checked("Mails are sent", has("mail", "send"))]),
];

function word(promise: string) {
  return { promise, verification_method: "string_match" };
}

/** Cancelled while an agent works on it: it is held. */
export const HELD = [
  task("LOGIN-1", "Log in with a passkey", [checked("A passkey is accepted", has("login", "passkey"))]),
];

/** Each is in another stage, for as long as the agents work. */
export const WORKED = [
  task("SHIP-1", "Ship to every country", SEVEN, { priority: 1 }),
  task("STOCK-1", "Count the stock", [checked("There is a stock", has("stock", "7"))], { priority: 1 }),
  task("REFUND-1", "Refund a payment, in full or in part", [checked("There is a refund", has("refund", "7"))], {
    priority: 1,
  }),
  task("SEARCH-1", "Search products by name", [checked("There is a search", has("search", "7"))], { priority: 1 }),
];

/** Nobody works on them. */
export const OPEN = [
  task("TAX-1", "Add the tax of the customer's country", [checked("Tax is added", has("tax", "tax"))], { priority: 2 }),
  task("THEME-1", "A dark theme", ["It is dark", "It is readable"], { priority: 4 }),
  task("INVOICE-1", "Send an invoice with every parcel", [checked("An invoice is made", has("invoice", "pdf"))], {
    dependencies: ["SHIP-1", "TAX-1"],
  }),
  task("OLD-1", "Take cheques", ["Cheques are taken"], { priority: 5 }),
];

export const WORKFLOW = `name: feature
description: |
  Plans a feature and builds it.
  Triggers: "build a feature"
steps:
  - name: plan
    prompt: |
      Plan this: $USER_MESSAGE
  - name: build
    prompt: Build the plan.
`;
export const LOOP_WORKFLOW = `name: build
description: |
  Builds something until its check passes.
  Triggers: "build it"
loop:
  until: BUILT
  max_iterations: 5
  verify: ["grep -q pay src/gift.js"]
prompt: |
  Build the plan: $USER_MESSAGE
  Output <promise>BUILT</promise> once it works.
`;
