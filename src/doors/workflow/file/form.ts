import { keyName } from "../../../core/complaints.ts";
import { camelCase } from "../../../core/schema/messages.ts";
import { keyFault, type ReadFault, valueFault } from "./fault.ts";
import { isMap } from "./foreign.ts";

type Raw = Readonly<Record<string, unknown>>;

const FORMS = ["steps", "loop", "nodes"] as const;
type Form = (typeof FORMS)[number];

/** The forms that a workflow is written in: one, if it is right. */
export const formsOf = (value: Raw): Form[] => FORMS.filter((form) => Object.hasOwn(value, form));

/** What is wrong with the form of a workflow: several, none, a loop without its prompt, a prompt without its loop. */
export function formFaults(value: Raw): ReadFault[] {
  const [form, ...others] = formsOf(value);
  if (form === undefined) return noForm(value);
  return [...others.map((other) => severalForms(form, other)), ...promptFaults(value, form)];
}

export const NO_FORM = "expected steps, or loop with prompt, got neither";

function noForm(value: Raw): ReadFault[] {
  const prompt = Object.hasOwn(value, "prompt");
  const hint = prompt
    ? "add `loop: { until: COMPLETE, max_iterations: 20 }` beside its prompt"
    : "add `steps:` with a list of commands or prompts, or `loop:` and `prompt:`";
  return [valueFault([], NO_FORM, hint)];
}

const severalForms = (form: Form, other: Form): ReadFault =>
  keyFault(
    [other],
    `expected either ${form} or ${other}, got both`,
    form === "steps" && other === "loop"
      ? "keep one: steps run once, in their order; a loop repeats one prompt"
      : "keep one of them, or make two workflows of it",
  );

function promptFaults(value: Raw, form: Form): ReadFault[] {
  const given = Object.hasOwn(value, "prompt");
  if (form === "loop" && !given) {
    // A prompt within the loop is reported as such.
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

/** More than a workflow needs; what follows takes longer the more there are. */
const MOST_ITEMS = 200;

/** What is too large to be intended, and is not read any further. */
export function sizeFaults(value: Raw): ReadFault[] {
  const long = (["steps", "nodes"] as const).filter((key) => sizeOf(value[key]) > MOST_ITEMS);
  const what = `expected at most ${MOST_ITEMS}, got more`;
  if (Object.keys(value).length > MOST_ITEMS) return [valueFault([], `${what} keys`, "remove what is no key of it")];
  return long.map((key) => keyFault([key], `${what} ${key}`, "make several workflows of it"));
}

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** A key that is missing because it is misspelt is reported once: where it is misspelt. */
export function withoutEchoes(faults: readonly ReadFault[]): ReadFault[] {
  const meant = new Set(faults.flatMap(meantBy));
  return faults.filter(({ path, text }) => {
    if (text === NO_FORM) return !FORM_KEYS.some((key) => meant.has(key));
    return !(/(^|: )missing, /.test(text) && meant.has(placeOf(path)));
  });
}

const FORM_KEYS = ["steps", "loop", "nodes"];

/** The place of the key that a misspelt one means. */
function meantBy({ path, at, text }: ReadFault): string[] {
  const key = at === "key" ? /, did you mean "([^"]+)"\?/.exec(text)?.[1] : undefined;
  return key === undefined ? [] : [placeOf([...path.slice(0, -1), key])];
}

const placeOf = (path: readonly PropertyKey[]): string => camelCase(keyName(path));
