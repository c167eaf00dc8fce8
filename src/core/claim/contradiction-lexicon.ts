import { list, re } from "./lexicon.ts";

/* The English words that the rules against a claim are built from. */

/** Later in the sentence, these words resolve the trouble. */
export const FIXED = re`\b(?:fixed|resolved|solved|repaired|corrected|addressed|cleared|worked around|unblocked|
(?:now|all|both|they|it)(?: of them)? (?:now )?(?:pass(?:es)?|works?|succeeds?|runs?)|(?:pass(?:es)?|works?|green|fine|fixed) now|
is (?:now )?(?:fixed|green|resolved)|no longer|is now|are now|got it working|after the fix)\b`;

/** In the next sentence, these words resolve the previous one: they refer to the same things. */
export const FIXED_NEXT = re`^(?:(?:i|we|and|then|so|now|but)(?:'ve)? )*(?:have |had |since |then |now |already |both )*
(?:fixed|resolved|corrected|repaired|addressed|solved) (?:both|them|it|that|this|these|those|all|each|the (?:cause|bug|typo|issue|
problem|two|three|error|failure)s?)\b|^(?:now )?(?:both|they|all(?: of them)?|these|those|it)\b(?! but)(?: \w+){0,3} (?:pass(?:es)?|green|
fixed|resolved|works?)\b(?!.*\b(?:except|but|not)\b)`;

export const NONE = list`\b(?:no|none|nothing|zero|0|without|never|neither|nor|not any|not (?:a single|one)|nobody|any|\w+n't (?:any|anything|leave|have)|
free of|instead of|rather than)\b`;
/** The trouble is in the past. */
export const GONE = list`(?<!\b(?:not|never|to|be|not been|not yet|not yet been|not fully|cannot be|to be)\s|n't\s|n't been\s)
\b(?:gone|lifted|behind us|used to|no longer|any ?more|previously|formerly|originally|initially|at first|earlier|beforehand|
fix(?:ed|es)|repaired|resolve[sd]?|solved|remove[sd]?|removing|deleted|replac(?:ed|es|ing)|eliminated|cleaned|addressed|
cleared|corrected|closed|un-?skipped|re-?enabled|now (?:\w+ )?(?:pass(?:es)?|works?|green|succeeds?|runs?|fixed|implemented))\b`;
export const WAS = list`${GONE}|\b(?:had(?: been)?|finished|completed)\b`;
/** A condition or a purpose: the trouble is hypothetical, or a case that the work covers. */
export const IN_CASE = list`\b(?:when(?:ever)?|if|where|whether|unless|until|in case|in which|cases? (?:where|when|that|of)|should|must|
would|could|might|so that|every time|expect\w*|(?<!\b(?:note|noticed|means?|aware|fact|mention|found|is|seems|given|admit|say|
see) )that|which|why|how)\b`;
export const BY_DESIGN = list`${IN_CASE}|\b(?:ensur\w+|handl\w+|simulat\w+|verif\w+ (?:that|it|the)|assert\w*|check(?:s|ed)? (?:that|if)|
tests? (?:for|that|whether)|confirm\w*|deliberately|intentionally|makes?|without the|returns?|throws?|raises?|xfail|
mark(?:s|ed)?|allowed to|prevents?)\b`;
export const AGREED = list`\b(?:optional(?:ly)?|nice[- ]to[- ]have|out of scope|by design|on purpose|intentional(?:ly)?|
as (?:requested|instructed|agreed|asked|expected|specified|intended))\b`;

export const CHECK = list`tests?|specs?|suites?|builds?|ci|pipelines?|lint(?:er|ing)?|type[- ]?check(?:s|er|ing)?|tsc|eslint|vitest|
jest|pytest|compil(?:ation|ing)|checks?|cases?|assertions?|jobs?|scenarios?|e2e|coverage|migrations?|deploy(?:ment)?s?|it|they|
both|_{3,}|them|code|project|server|app`;
export const THERE = list` (?:still|currently|now|also|are|is|have|has|keeps?|suites?|cases?|jobs?|steps?|runs?|sometimes|occasionally|
consistently|locally|again|just|both|all|there|tests?|checks?|_+|(?:in|on|under|with|for) (?:the )?[\w.]+)`;
export const COUNT = list`[1-9]\d*|one|two|three|four|five|six|some|several|a few|many|most|multiple|a couple of`;
export const WORK = list`work|tasks?|steps?|items?|issues?|todos?|criteria|stories|story|tests?|failures?|errors?|bugs?|problems?|
parts?|pieces?|features?|endpoints?|gaps?|things?|points?`;
export const DO = list`fix|implement|finish|complete|add|write|continue|work on|address|handle|investigate|look into|tackle|refactor|
debug|start|do|wire|hook|clean|migrate|resolve|test|verify|update|document|cover|polish|build|create|make|get|revisit`;
export const DID = list`implemented|done|finished|completed?|working|work|fixed|ready|tested|covered|started|supported|passing|pass|
written|handled|merged|compile|build|wired|addressed|migrated|in place|there yet|finish|verified|met|satisfied|fulfilled|
resolved|run|executed|succeed|reached`;
export const LATER = list`later|next|soon|afterwards|tomorrow|next time|another time|in (?:a|the|another) (?:follow-?up|next|later|future|
separate)`;
