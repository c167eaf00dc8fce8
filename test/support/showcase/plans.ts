/** One turn of the showcase's agent. By default it makes the promise that its prompt asks for. */
export interface Turn {
  say?: string;
  think?: string;
  write?: Readonly<Record<string, string>>;
  /** Commands whose output becomes tool output. */
  run?: readonly string[];
  /** Lines of output with colours. */
  lines?: number;
  /** Works until the file `go` appears. */
  wait?: boolean;
  review?: { approved: boolean; findings: readonly string[] };
  promise?: false;
  cost?: number;
  tokens?: readonly [input: number, output: number];
  model?: string;
}

export type Plans = Readonly<Record<string, readonly Turn[]>>;

const APPROVED: Turn = {
  say: "I read the change and ran its tests.",
  run: ["git log --oneline -3"],
  review: { approved: true, findings: [] },
  cost: 0.05,
  tokens: [4_000, 300],
  model: "sonnet",
};

/** What prints colours, as test runners do. */
const COLOURS =
  "printf '\\033[32m✓\\033[39m adds up the prices \\033[2m(3 ms)\\033[22m\\n\\033[31m✗\\033[39m \\033[1man empty cart costs 0\\033[22m\\n'";

const file = (name: string, text: string): Readonly<Record<string, string>> => ({ [`src/${name}.js`]: `${text}\n` });
const waits: Turn = { wait: true };

const DISCOUNT = (empty: string) => `/** The price of a cart: the sum of its items, ten percent less from 100 on. */
export function total(items) {
  const sum = items.map((item) => item.price).reduce((sum, price) => sum + price${empty});
  return sum >= 100 ? sum * 0.9 : sum;
}
`;

/** Features of a table of seven, each a line in its file. */
const returns = (...features: number[]) => file("returns", features.map((n) => `feature ${n}`).join("\n"));

export const PLANS: Plans = {
  reviewer: [APPROVED],
  tester: [{ say: "The edge cases are tested, too.", run: [COLOURS], cost: 0.08 }],
  qa: [{ ...APPROVED, say: "I used it as a customer would." }],
  "CART-1 coder": [
    { say: "I have looked at the cart and know what to change.", run: ["ls src", COLOURS], promise: false, cost: 0.31 },
    { say: "The coupon is in place.", write: file("coupon", "export const coupon = (total) => total"), cost: 0.44 },
    {
      say: "The coupon takes five off.",
      write: file("coupon", "export const coupon = (total) => total - 5"),
      cost: 0.38,
    },
    {
      say: "It never goes below 0 now.",
      write: file("coupon", "export const coupon = (total) => Math.max(0, total - 5)"),
      run: [
        'ralph task followup COUPON-9 CART-1 "Coupons that expire" --outcome "An old coupon is refused" --acceptance "A coupon of last year is refused" --verify "grep -q expires src/coupon.js"',
      ],
      cost: 0.22,
    },
  ],
  "CART-1 reviewer": [
    { ...APPROVED, review: { approved: false, findings: ["src/coupon.js:1 a small cart costs less than nothing"] } },
    APPROVED,
  ],
  "CART-2 coder": [{ write: file("currency", "export const yen = (n) => `¥${n}`; // 円"), say: "円で表示します。 🎌" }],
  "DOCS-1 coder": [{ say: "The package says what it is.", write: { "README.md": "# Shop\n\nA little shop.\n" } }],
  "TEXT-1 coder": [{ write: file("empty", "export const empty = 'Nothing here yet. Add something you like.';") }],
  "MAIL-1 coder": [
    { write: file("mail", "export const mail = () => 'Thank you'"), say: "Orders are confirmed by mail." },
  ],
  "RETURN-1 coder": [
    { say: "Five of seven work.", write: returns(1, 2, 3, 4, 5), cost: 0.61, tokens: [22_000, 3_100] },
    { say: "All seven work.", write: returns(1, 2, 3, 4, 5), run: [COLOURS], cost: 0.57, tokens: [24_000, 2_900] },
  ],
  "KEYS-1 coder": [{ say: "<blocked>I need the API key of the mail service</blocked>", promise: false, cost: 0.07 }],
  "LOGIN-1 coder": [waits],
  "TAX-1 coder": [{ ...waits, write: file("tax", "export const tax = 7") }],
  "SHIP-1 coder": [
    { say: "Two of seven work.", write: returns(1, 2), cost: 0.4, tokens: [12_000, 1_100] },
    { say: "Five of seven work.", write: returns(1, 2, 3, 4, 5), run: [COLOURS], cost: 0.52, tokens: [15_000, 1_500] },
    { ...waits, write: returns(1, 2, 3, 4, 5, 6, 7), cost: 0.3 },
  ],
  "STOCK-1 coder": [{ write: file("stock", "export const stock = 7") }],
  "STOCK-1 reviewer": [{ ...APPROVED, ...waits }],
  "REFUND-1 coder": [{ write: file("refund", "export const refund = 7") }],
  "REFUND-1 tester": [waits],
  "SEARCH-1 coder": [{ write: file("search", "export const search = 7") }],
  "SEARCH-1 qa": [{ ...APPROVED, ...waits }],
  '"Make the tests pass"': [
    { say: "The discount is in place and all tests pass.", write: { "src/cart.js": DISCOUNT("") }, run: ["npm test"] },
    { say: "An empty cart now costs 0.", write: { "src/cart.js": DISCOUNT(", 0") }, run: ["npm test"] },
  ],
  '"Translate every message"': [
    { say: "The first half is translated.", write: { "src/words.js": "export const words = ['Korb'];\n" } },
    { say: "Nearly there.", write: { "src/words.js": "export const words = ['Korb', 'Preis'];\n" }, cost: 0.2 },
    { say: "Everything is translated.", write: { "src/words.js": "export const words = ['Korb', 'Kasse'];\n" } },
  ],
  '"Tidy up the comments"': [{ say: "Tidied up.", write: { "src/notes.js": "// One note.\n" }, lines: 200 }],
  '"Print a lot"': [{ say: "That was a lot.", write: { "src/lot.js": "// A lot.\n" }, lines: 100_000 }],
  '"Watch the shop"': [{ ...waits, say: "The shop was watched.", write: { "src/watched.js": "// Watched.\n" } }],
  '"Plan this"': [{ say: "1. The card\n2. Its balance\n3. Paying with it", promise: false }],
  '"Build the plan"': [
    { say: "The card is there.", write: file("gift", "export const card = 1") },
    { say: "Paying with it works.", write: file("gift", "export const card = 1; export const pay = 2") },
  ],
};
