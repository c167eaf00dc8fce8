/*
 * The vocabulary of the rules. `list` joins the lines of a template into one alternation;
 * `re` makes a pattern of a template, so that neither needs doubled backslashes.
 */

const joined = (template: TemplateStringsArray, values: string[]): string =>
  String.raw(template, ...values).replace(/\s*\n\s*/g, "");

/** An alternation, written over several lines. */
export const list = (template: TemplateStringsArray, ...values: string[]): string => `(?:${joined(template, values)})`;

/** A pattern, written over several lines. */
export const re = (template: TemplateStringsArray, ...values: string[]): RegExp =>
  new RegExp(joined(template, values), "u");

/** The lower-case letters of the known languages; Unicode classes take seconds to compile. */
const LETTERS = "a-z\u00aa-\u024f\u0400-\u052f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af";
const SPACED = "a-z0-9_\u00aa-\u024f\u0400-\u052f";

/** A pattern for any language, over lower-case text: \b is a word's edge, \w and \p{L} a letter of any alphabet. */
export const wordPattern = (source: string): RegExp =>
  new RegExp(
    source
      // Before the start of a word, \b only looks back; looking both ways would cost twice as much.
      .replaceAll(/\\b(?=(?:\(\?:|\((?!\?))*(?:[\p{L}\d]|\\[wd]|\(\?<))/gu, `(?<![${SPACED}])`)
      .replaceAll(String.raw`\b`, `(?![${SPACED}])`)
      .replaceAll(String.raw`\w`, `[${SPACED}]`)
      .replaceAll(String.raw`\p{L}`, LETTERS)
      .replaceAll(String.raw`\p{N}`, "0-9"),
    "u",
  );

/** Up to `most` words of any kind, each with a space or a comma before it. */
export const gap = (most: number): string => String.raw`(?:[ ,]+[\w'/-]+){0,${most}}?`;

/** Verbs that an agent uses to utter a tag. */
export const SAY = list`output|say|print|emit|write|type|send|return|respond|reply|answer|signal|declare|claim|post|
produce|issue|give|include|add|put|use|announce|report|state|provide|display|append|submit|promise|call|mark|finish|
end|conclude|place|share|reach|deliver|make|raise|set|leave|drop|trigger|fire`;
export const SAYING = list`${SAY}s?|(?:output|emit|put)ting|(?:say|print|send|return|respond|reply|answer|signal|signall|
post|add|report|display|append|submit|call|mark|finish|end)ing|(?:writ|typ|declar|claim|produc|issu|giv|includ|us|
announc|stat|provid|promis|conclud)ing`;
export const SAID = list`output(?:ted)?|said|printed|emitted|wrote|written|typed|sent|returned|replied|responded|answered|
signall?ed|declared|claimed|posted|produced|issued|given|gave|included|announced|reported|stated|contained|had|used`;

/** Words that refuse or postpone an utterance. */
export const NOT = list`not(?! only)|\w+n't|dont|wont|cant|never|cannot|no longer|without|refus(?:e|es|ing|ed)|
declin(?:e|es|ing|ed)|avoid(?:s|ing)?|withh(?:old|olding|eld)|h(?:old|olding|eld) (?:off|back)|refrain(?:s|ing|ed)?|
unable|instead of|rather than|hesita\w+|neither|nor|wrong|prematurely?|dishonest|stop(?:ped|ping)? short|yet to|
too (?:early|soon)|resist(?:ing)?|far from|forbidden|prohibited|against|delay(?:ing)?|postpon(?:e|ing)|about to|
almost|nearly|under no circumstances|impossible|no way|hard to`;
export const WITHHOLD = list`(?:hold|keep|sav|reserv|defer|skip|omit|retract|withdraw|revok|drop|cancel|tak|leav)
(?:s|e|es|ed|ing|ting|ping|ring|ding)?`;
export const IF = list`if|once|when|whenever|until|till|unless|as soon as|as long as|provided|assuming|in case|only then|
after|before|whether|the moment|by the time|pending|upon|on (?:success|completion)`;
export const WILL = list`will|\w+'ll|going to|gonna|shall|plans? to|planning to|intend(?:s|ing)? to|aim(?:ing)? to|
want to|hop(?:e|ing) to|be(?:ing)? able to|prepar(?:e|ing) to|get(?:ting)? to|wait(?:ing)? to|expect to`;
export const WOULD = list`would|\w+'d|could|might|may`;
export const MUST = list`must|should|need(?:s|ed)? to|ha(?:ve|s|d) to|supposed to|in order to|so that i can|can only|
(?:asked|told|instructed|ordered|reminded)(?: me| us| you)? to|(?:required|expected|meant|allowed|permitted|free|obliged) to|
(?:asks?|tells?|wants?) (?:me|us|you) to|(?:remember|reminder to self) to|(?:is|are|am|was|were) to`;

/** Words that may stand between a verb of saying and the tag. */
export const OBJECT = list` (?:the|this|that|a|an|my|your|with|by|exactly|only|just|precisely|following|final|literal|
exact|completion|complete|done|to|me|it|back|out|below|in|as|of|sending|outputting|saying|printing|replying|writing|promise|
signal|tag|marker|phrase|keyword|token|string|line|message|word|reply|answer|response|text|statement|sentence)`;
export const NOUN = list`(?:promise|signal|tag|marker|phrase|keyword|token|string|sentinel|line|message|word|output|reply|
answer|response|text)s?`;

/** Who instructs the agent or reads its output, and how. */
export const SOURCE = list`prompts?|instructions?|task|spec(?:ification)?|docs?|documentation|readme|requirements?|rules?|
user|system(?: message)?|criteria|brief|guidelines?|harness|loop|hook|script|parser|regex|detector|workflow|you(?! are)|agent|
model|assistant|it|log|transcript|file|code|runner|ralph|description|ticket|issue|process|function|test|orchestrator`;
export const REPORTS = list`says?|said|states?|ask(?:s|ed)?(?: for| me)?|tells?(?: me)?|told(?: me)?|wants?|requires?|
required|reads?|mentions?|mentioned|specif(?:y|ies|ied)|expects?|(?:look|check|wait|search|scan|watch|grep)(?:s|ing|ed)? for|
contain(?:s|ed)?|include[sd]?|shows?|demands?|calls? for|ends? (?:on|with|at)|stops? (?:on|at|with)|detect(?:s|ed)?|
match(?:es|ed)?|recogni[sz]e[sd]?|defines?|uses?|needs?|printed|output(?:s|ted)?|prints?|emit(?:s|ted)|wrote|returns?|
returned|looks like|parse[sd]?|accepts?|rejects?|treats?`;
