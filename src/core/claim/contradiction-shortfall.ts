import { AGREED, CHECK, LATER, WAS } from "./contradiction-lexicon.ts";
import type { ContradictionRule } from "./contradiction-rule.ts";
import { list, re } from "./lexicon.ts";
import { partOfWhole } from "./share.ts";

const PASS = list`done|completed?|finished|works?|working|pass(?:es|ed|ing)?|implemented|ready|green|met|fixed|migrated|succeeds?|
in place|covered|fine`;
/** Names an exception to "all". */
const EXCEPT = list`except(?:ing|ed)?|apart from|aside from|other than|with the exception of|save(?: for| the| one| two)|excluding|
bar(?= (?:one|two|three|a|an|the|\d+)\b)|barring|minus|but(?= (?:for )?(?:one|two|three|four|a|an|the|\d+)\b)`;
const ITEM = list`tests?|criteria|requirements?|stories|tasks|checks|cases|features?|endpoints|items|suites?|specs?|assertions`;

/** "3 of 5 criteria are met", "eleven of the twelve tests pass": a share that is not the whole. */
function notAll(clause: string): number {
  const at = partOfWhole(clause);
  if (at < 0 || !PASSED.test(clause)) return -1;
  return COUNTED_AS.test(clause.slice(at)) ? -1 : at;
}
const PASSED = re`\b(?:${PASS}|${ITEM}|steps)\b`;
/** A share of something other than the work. */
const COUNTED_AS = re`^[^,;.]*\b(?:failed|failing|skipped|(?:are|is|were) (?:new|old|slow|unit|integration|async|unchanged|untouched))\b`;

/** Rules about incomplete work: exceptions, shares, checks that were not run, postponed items. */
export const SHORTFALLS: readonly ContradictionRule[] = [
  {
    name: "exception",
    when: [
      re`^\W*(?:except|apart from|other than|aside from|with the exception of)\b.*\b(?:missing|not|n't|fail\w*|unfinished|left|
remain\w*|skipped|pending|incomplete|yet|todo|open|broken|later|for|the)\b`,
      re`\b${PASS}\b[^.]*\b${EXCEPT}\b`,
      re`\b(?:everything|every \w+|each \w+|all(?: of)?(?: the)?(?: \w+)?) ${EXCEPT}\b.*\b${PASS}\b`,
      re`\b(?:with|has|have|is|are) (?:one|two|three|a single|some|a few|\d+) (?:\w+ )?exceptions?\b|^\W*(?:one|two|\d+|a single|with one|sole|only) (?:\w+ )?exceptions?\W*:`,
    ],
    unless: re`\b(?:nothing|none|lockfile|already|no exceptions?)\b|${AGREED}`,
  },
  {
    name: "not-all",
    when: [
      notAll,
      re`\b(?:below|under|short of|less than) (?:the |our |your )?(?:required|target|threshold|minimum|needed|agreed|demanded)\b`,
      re`\b(?:most|some|half|many|nearly (?:all|every)|almost (?:all|every)|(?:a|the) (?:vast )?majority|the bulk|part)(?: of)?(?: the| our)? (?:\w+ )?
(?:${ITEM}|work)(?: \w+)? ${PASS}\b`,
      re`\bnot (?:all|everything|every)\b(?: \w+){0,3} (?:works?|pass(?:es)?|done|is|are|met|covered|implemented|green)\b`,
      re`(?<![\d.])\d{1,2}(?:\.\d+)? ?% of (?:the |all |our )*(?:\w+ )?(?:${ITEM}|work)(?: \w+)? ${PASS}\b`,
    ],
    unless: re`\b(?:iteration|step|phase|part|page|attempt|round|first|then|up from|was|were|from)\b|${WAS}`,
    inLogs: true,
  },
  {
    name: "tests-not-run",
    when: [
      re`\bno (?:\w+ )?(?:tests?|checks?|specs?|suites?) (?:were|was|have been|has been|got) (?:actually )?(?:run|executed|started)\b`,
      re`\b(?:never|not|n't)(?: actually| yet| been| even)* (?:ran|run|executed?|tested|tried|verified|checked)\b(?= (?:it|this|that|them|any(?:thing)?|
(?:the |any |these |those |all )?(?:\w+ )?(?:${CHECK}|changes?|result|output|fix))\b|\W*$)`,
      re`\b${CHECK} should (?:now |all |then |still )*(?:pass|succeed|be (?:green|passing|fine))\b`,
      re`\b(?:tests?|suite|everything|it|all) (?:will |would |should )?(?:only )?pass(?:es)? (?:only )?
(?:once|as soon as|after you|(?:if|when) (?:you|we|i) (?:skip|ignore|exclude|disable|comment|remove|mock))\b`,
    ],
    unless: re`\b(?:production|prod|live|twice|until|verified (?:it|that|this)|confirmed|no longer|any ?more|previously|used to)\b|${AGREED}`,
    unlessBefore: re`\b(?:when|if|whether|so that|ensur\w+|users?|clients?)\b`,
  },
  {
    name: "put-off",
    when: [
      re`\bfor (?:now|the (?:moment|time being))\b`,
      re`\b(?:currently|temporarily|at the moment) (?:just |only |simply |still )*(?:returns?|throws?|logs?|hard-?cod\w+|does nothing|ignores?|a no-?op)\b`,
      re`\b(?:to follow|to come|comes? later|follows? later)\b\W*$`,
      re`\b(?:cases?|points?|items?|issues?|questions?|parts?|todos?|bits?) (?:are|is|remains?|still) (?:still )?open\b`,
      re`\b(?:only|one|last|single) (?:\w+ )?(?:thing|part|piece|item|bit) (?:that is |that's |still )*(?:missing|left|open|remaining|undone) (?:is|are)\b`,
      re`\bnot\b(?: \S+){0,8} yet\b\W*$`,
      re`\byou(?:'ll| will| would|'d)? (?:still )?(?:need|have) to (?:finish|complete|implement|fix)\b`,
      re`\b(?:did(?:n't| not)|never|could(?:n't| not)|not) (?:quite )?(?:g[eo]t(?:ten)? (?:around )?to|find (?:the )?time|have (?:the )?time|reach)\b`,
      re`\b(?:punted|parked|shelved|saved|kept|leaving|left|leave)\b(?: \S+){0,6} (?:for|until|to|as) (?:${LATER}|another|an exercise|a (?:follow|later|future)|someone|you)\b`,
    ],
    unless: re`\b(?:that(?:'s| is) (?:all|it)|all for now|not? longer|nothing)\b|${AGREED}|${WAS}`,
    unlessBefore: re`\b(?:no|none|nothing|never|without|when|if)\b`,
  },
];
