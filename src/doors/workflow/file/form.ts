import { keyName } from "../../../core/complaints.ts";
import { isMap } from "../../../core/field.ts";
import { camelCase } from "../../../core/schema/messages.ts";
import { keyFault, type ReadFault, valueFault } from "./fault.ts";

type Raw = Readonly<Record<string, unknown>>;

const FORMS = ["steps", "loop", "nodes"] as const;
type Form = (typeof FORMS)[number];

/** The forms that a workflow uses: exactly one if it is valid. */
export const formsOf = (value: Raw): Form[] => FORMS.filter((form) => Object.hasOwn(value, form));

/** Faults in the form of a workflow: several forms, none, a loop without a prompt, or a prompt without a loop. */
export function formFaults(value: Raw): ReadFault[] {
  const [form, ...others] = formsOf(value);
  if (form === undefined) return noForm(value);
  return [...others.map((other) => severalForms(form, other)), ...promptFaults(value, form)];
}

export const NO_FORM = "expected steps, or loop with prompt, got neither";

function noForm(value: Raw): ReadFault[] {
  const prompt = Object.hasOwn(value, "prompt");
  const hint = prompt
    ? "add `loop: { until: COMPLETE, max_iterations: 20 }` next to its prompt"
    : "add `steps:` with a list of commands or prompts, or `loop:` and `prompt:`";
  return [valueFault([], NO_FORM, hint)];
}

const severalForms = (form: Form, other: Form): ReadFault =>
  keyFault(
    [other],
    `expected either ${form} or ${other}, got both`,
    form === "steps" && other === "loop"
      ? "keep one: steps run once, in their order; a loop repeats one prompt"
      : "keep one of them, or split it into two workflows",
  );

function promptFaults(value: Raw, form: Form): ReadFault[] {
  const given = Object.hasOwn(value, "prompt");
  if (form === "loop" && !given) {
    // A prompt inside the loop is reported separately.
    if (isMap(value.loop) && Object.hasOwn(value.loop, "prompt")) return [];
    return [
      valueFault(
        ["prompt"],
        "missing, expected the text that the loop repeats",
        "add `prompt: |` and the text below it",
      ),
    ];
  }
  if (form === "loop" || !given || isMap(value.loop)) return [];
  const owner = form === "steps" ? "a step" : "a node";
  return [keyFault(["prompt"], "belongs to a loop, and there is none", `move it into ${owner} as \`- prompt: …\``)];
}

/** More than a workflow needs. Later checks take longer for longer lists. */
const MOST_ITEMS = 200;

/** Faults for maps and lists that are too long to be read. */
export function sizeFaults(value: Raw): ReadFault[] {
  const long = (["steps", "nodes"] as const).filter((key) => sizeOf(value[key]) > MOST_ITEMS);
  const what = `expected at most ${MOST_ITEMS}, got more`;
  if (Object.keys(value).length > MOST_ITEMS) return [valueFault([], `${what} keys`, "remove unknown keys")];
  return long.map((key) => keyFault([key], `${what} ${key}`, "split it into several workflows"));
}

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** A key that is missing because it is misspelt is reported only at the misspelt key. */
export function withoutEchoes(faults: readonly ReadFault[]): ReadFault[] {
  const meant = new Set(faults.flatMap(meantBy));
  return faults.filter(({ path, text }) => {
    if (text === NO_FORM) return !FORM_KEYS.some((key) => meant.has(key));
    return !(/(^|: )missing, /.test(text) && meant.has(placeOf(path)));
  });
}

const FORM_KEYS = ["steps", "loop", "nodes"];

/** The path of the key that was probably meant. */
function meantBy({ path, at, text }: ReadFault): string[] {
  const key = at === "key" ? /, did you mean "([^"]+)"\?/.exec(text)?.[1] : undefined;
  return key === undefined ? [] : [placeOf([...path.slice(0, -1), key])];
}

const placeOf = (path: readonly PropertyKey[]): string => camelCase(keyName(path));
