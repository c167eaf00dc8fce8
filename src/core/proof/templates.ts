import { closest } from "../edit-distance.ts";
import { RalphError } from "../errors.ts";
import { type Completion, completion } from "../schema/criteria.ts";
import { faultsOf } from "../schema/faults.ts";
import { configured, overridesOf, type StageConfig } from "../schema/methods.ts";
import { snakeCase } from "../schema/spelling.ts";
import type { Template, Templates } from "../schema/template.ts";
import { BUILT_IN, type BuiltIn, type Parameter } from "./built-in-templates.ts";
import { methodStage } from "./resolve.ts";
import { filledIn, parametersOf } from "./template-parameters.ts";

/**
 * The criteria with all templates expanded, so that they are complete when stored. `user`: the templates of the
 * settings, which override built-in ones of the same name.
 */
export function expandTemplates<Criteria extends Completion>(criteria: Criteria, user: Templates = {}): Criteria {
  const { verification_template: _filled, ...rest } = criteria;
  const { method, config } = expandStage(methodStage(criteria), { at: "verification_", user, within: [] });
  const how = {
    ...(method === undefined ? {} : { verification_method: method }),
    ...(config === undefined ? {} : { verification_config: config }),
  };
  // Only keys of criteria were removed or added.
  return { ...rest, ...how } as Criteria;
}

interface Place {
  /** The path of the stage in the criteria. */
  at: string;
  user: Templates;
  /** The templates it came from. */
  within: readonly string[];
}

function expandStage(stage: StageConfig, place: Place): StageConfig {
  const { template: name, ...rest } = stage;
  if (name === undefined) return expandInner(stage, place);
  const template = templateNamed(name, place);
  const at = `${place.at}template`;
  const { verification_method: method, verification_config } = template;
  const { parameters, overrides } = sorted(name, template, rest.config ?? {}, `${place.at}config`);
  const made = "command" in template ? { command: template.command?.(parameters) } : {};
  const filled = filledIn({ ...verification_config, ...made }, parameters);
  const env = { ...mapOf(filled.env), ...mapOf(overrides.env) };
  const config = { ...filled, ...overrides, ...(Object.keys(env).length > 0 ? { env } : {}) };
  refuseMisfit(name, method, config, at);
  const named = rest.name === undefined && place.at !== "verification_" ? { name } : {};
  return expandInner({ ...rest, ...named, method, config }, { ...place, within: [...place.within, name] });
}

/** The stages within a stage. */
function expandInner(stage: StageConfig, place: Place): StageConfig {
  const given = configured(stage.method, stage.config);
  if (given.method !== "multi_stage") return stage;
  const stages = given.config.stages.map((inner, i) =>
    expandStage(inner, { ...place, at: `${place.at}config.stages[${i}].` }),
  );
  return { ...stage, config: { ...stage.config, stages } };
}

function templateNamed(name: string, { at, user, within }: Place): Template | BuiltIn {
  if (within.includes(name)) {
    throw new RalphError("template-endless", `the template ${name} contains itself: ${[...within, name].join(" → ")}`, {
      hint: "give one of them another name, or write its stages out",
    });
  }
  const template = Object.hasOwn(user, name) ? user[name] : Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  if (template) return template;
  const known = [...new Set([...Object.keys(user), ...Object.keys(BUILT_IN)])];
  const near = closest(name, known);
  const meant = near === null ? "" : `, did you mean "${near}"?`;
  throw new RalphError("template-unknown", `${at}template: there is no template ${JSON.stringify(name)}${meant}`, {
    hint: `known are ${known.join(", ")}; \`templates\` in the settings adds more`,
  });
}

interface Sorted {
  parameters: Record<string, Parameter>;
  /** Changed keys of the command itself. */
  overrides: Record<string, unknown>;
}

/** Separates the values given to a template: its parameters, and changes to its command. */
function sorted(name: string, template: Template | BuiltIn, given: Record<string, unknown>, at: string): Sorted {
  const { required, optional } = "required" in template ? template : parametersOf(template);
  const own = [...required, ...optional];
  const changeable = overridesOf(template.verification_method);
  const found: Sorted = { parameters: {}, overrides: {} };
  for (const [written, value] of Object.entries(given)) {
    const key = snakeCase(written);
    if (key !== "command" && own.includes(key)) found.parameters[key] = parameterValue(value, `${at}.${written}`);
    else if (own.includes(key) || changeable.includes(key)) found.overrides[key] = value;
    else refuse(`${at}.${written}: ${unknownParameter(written, name, own, changeable)}`);
  }
  const missing = required.find((key) => found.parameters[key] === undefined);
  if (missing !== undefined) refuse(`${at}.${missing}: missing, the template ${name} needs it`);
  refuseComplaint(template, found.parameters, at);
  return found;
}

function refuseComplaint(template: Template | BuiltIn, parameters: Sorted["parameters"], at: string): void {
  const complaint = "complaint" in template ? template.complaint?.(parameters) : null;
  if (complaint) refuse(`${at}${complaint.key ? `.${complaint.key}` : ""}: ${complaint.text}`);
}

function unknownParameter(word: string, name: string, own: readonly string[], changeable: readonly string[]): string {
  const known = [...own, ...changeable];
  const near = closest(snakeCase(word), known);
  if (near !== null) return `the template ${name} has no parameter ${JSON.stringify(word)}, did you mean "${near}"?`;
  return `the template ${name} has no parameter ${JSON.stringify(word)} (expected ${known.join(", ") || "none"})`;
}

function parameterValue(value: unknown, at: string): Parameter {
  if (isPlain(value) || (Array.isArray(value) && value.every(isPlain))) return value;
  return refuse(`${at}: expected text, a number, true or false, or a list of them`);
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

const mapOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

/** An expanded template must be a valid stage. */
function refuseMisfit(name: string, method: string, config: Record<string, unknown>, at: string): void {
  const { error } = completion.safeParse({ verification_method: method, verification_config: config });
  const [fault] = error ? faultsOf(error) : [];
  if (fault) refuse(`${at}: the template ${name} does not fit: ${fault.text}`);
}

function refuse(message: string): never {
  throw new RalphError("template-invalid", message, {
    hint: "docs/criteria.md lists the templates and their parameters",
  });
}
