import {
  AGREED,
  BY_DESIGN,
  CHECK,
  COUNT,
  DID,
  DO,
  GONE,
  IN_CASE,
  LATER,
  NONE,
  THERE,
  WAS,
  WORK,
} from "./contradiction-lexicon.ts";
import type { ContradictionRule } from "./contradiction-rule.ts";
import { SHORTFALLS } from "./contradiction-shortfall.ts";
import { list, re } from "./lexicon.ts";

/** The rules, in the order in which they are applied. */
export const CONTRADICTIONS: readonly ContradictionRule[] = [
  {
    name: "remaining-work",
    when: [
      re`^\W*(?:outstanding|remaining|(?:what(?:'s| is) )?(?:still )?left(?: to do)?|missing|pending|still (?:open|missing|to do)|open (?:issues?|items?|points?|
tasks?)|unfinished|to ?do|not done|incomplete|known (?:issues?|bugs?|problems?|failures?))(?: ${WORK})?\W*[:\n]\W*\w`,
      re`\b(?:still|also|yet) (?:need|have|has|want|plan|must|to)(?:s|ed)?\b`,
      re`\bstill (?:\w+ ){0,2}(?:needed|open|pending|outstanding|missing|incomplete|unfinished|in progress|to ?do|unresolved|
unimplemented|working|running|waiting|investigating|lacks?|requires?|broken|left|needs?)\b`,
      re`\bremains? (?:to be|open|unfinished|incomplete|undone|unresolved|unimplemented|broken|to)\b`,
      re`\bremaining ${WORK}\b`,
      re`\b${WORK} (?:still )?remain(?:s|ing)?\b`,
      re`\b${COUNT} (?:\w+ ){0,2}(?:left|remaining|remain|to go)\b`,
      re`\b(?:further|more|additional|some) (?:\w+ )?(?:work|changes?|testing|effort|fixes) (?:(?:is|are|will be) )?(?:still )?
(?:needed|required|necessary|remains?)\b`,
      re`\b(?:more|other|further|few|several) ${WORK} (?:to do|to finish|to fix|left|to go|remaining)\b`,
      re`\b(?:is|are) (?:still )?to be (?:written|done|implemented|added|completed|fixed|tested|finished)\b`,
      re`\bleft to (?:do|implement|fix|finish|complete|write|address)\b`,
      re`\b(?:yet to be|ha(?:ve|s) yet to|needs? (?:further|more|additional|some more) (?:work|testing|investigation))\b`,
      re`\b(?:be|is|are) (?:done|implemented|completed|fixed|added|handled|addressed|finished) ${LATER}`,
      re`\b(?:left|leaving) (?:\w+ ){0,4}(?:for (?:later|a follow-?up|the next|another)|undone|unfinished|open|unimplemented|
incomplete)\b`,
      re`\b(?:deferred|postponed|left out|omitted)\b`,
      re`\bfollow-?ups? (?:(?:is|are|work|will be) )?(?:needed|required|necessary)\b`,
      re`\bnext (?:steps?|iteration|turn|run|session)\b.*\b(?:must|needs?|required?|have to|implement|fix|finish|complete|will)\b`,
    ],
    unless: re`\b(?:if you|none|n\/a|could|may want|no longer|nothing)\b|${AGREED}|[:\n]\W*(?:no|0|zero)\b|
(?<!to )(?:\bis|\bare|\bwas|\bwere|been) (?:now |all )?(?:done|completed?|finished|implemented|fixed|closed|resolved|gone)\b(?! ${LATER})`,
    unlessBefore: re`${NONE}(?!,)|\byou(?:'ll| will| may| might)?\s*$|
\b(?:fixed|removed|finished|completed|closed|resolved|addressed|did|done|implemented|wrote|added|migrated|handled|built|covered)(?: \w+){0,3} $`,
  },
  {
    name: "unfinished",
    when: [
      re`(?:\bnot|n't)(?: \w+)?(?: yet)?(?: been| be)?(?: \w+ly)? ${DID}\b`,
      re`\b(?:(?:unimplemented|unfinished|incomplete|unmet|unhandled|undone|unsolved|unresolved)(?= (?:and|so|because|as|but|for)\b|\W*$)|half[- ]?(?:done|finished|implemented|way)|work in progress|wip|untested|
partial(?:ly)? (?:done|implement\w+|completed?|working|finished|works?|fix(?:ed)?|support|migrated|solution)|
(?:mostly|almost|nearly|partly) (?:done|complete|finished|working|implemented|there)|only part of)\b`,
      re`\b(?:have|has|had|did)(?:n't| not)(?: yet| actually| been able to)* (?:run|ran|test(?:ed)?|verif(?:y|ied)|
implement(?:ed)?|finish(?:ed)?|completed?|manage[d]?|get|got|gotten|start(?:ed)?|migrated?|written|write)\b`,
      re`\bonly (?:the )?(?:first|last|\d+|one|two|three|some|part|half)\b.*\b(?:done|completed?|implemented|finished|works?|pass)\b`,
      re`\b(?:is|are) (?:still |currently )?(?:missing|lacking|absent)\b`,
      re`\b[1-9]?\d ?% (?:complete|done|finished|implemented|there|of the way)\b`,
    ],
    unless: re`\bwas(?:n't| not)\b.*\bnow\b|${GONE}|\bnot (?:done|finished|complete) until\b|${AGREED}`,
    unlessBefore: re`${NONE}|${IN_CASE}`,
  },
  {
    name: "todo",
    abroad: true,
    exactCase: true,
    when: [
      /\b(?:TODOs?|FIXMEs?|XXX)\b(?! (?:app|list|page|items?|api|component|model|entry|entries|support|parser|parsing|extension|feature|LISTO|EST[ÁA]|FUNCIONA|PASA|OK|HECHO|CORRECTO|EN VERDE|BIEN))/,
      /\b(?:todo|fixme|Todo|Fixme):/,
    ],
    unless: new RegExp(
      list`\b(?:no|zero|0|none|without|any|every|all|fix(?:ed|es)|implement(?:ed|s)|turn(?:ed|s)|pars(?:e[sd]?|ing)|
(?:remov|delet|resolv|address|clean|clear|complet|replac|eliminat|search|grepp?|check|detect|highlight)(?:e?[sd]?|ing|ed|es))\b`,
      "iu",
    ),
  },
  {
    name: "stub",
    abroad: true,
    when: [
      re`\bstub(?:bed|s)?\b|\b(?:mocked|faked)[- ]out\b`,
      re`\bplaceholders? (?:implementation|logic|code|values?|functions?|data|until|methods?|class|handler|response)\b`,
      re`\b(?:is|are|as|with|returns?|only|just|left|remains?|still|currently) (?:just |only |currently |still )*(?:an? )?
(?:placeholder|dummy|no-?op|mock(?:ed)?|skeleton|fake|hard-?coded)\b`,
      re`\b(?:hard-?coded|mock(?:ed)?|faked?|dummy|skipped|disabled|commented out|bypassed|temporary)\b.*\bfor now\b`,
      re`\bfor now\b.*\b(?:hard-?coded|mock(?:ed|s)?|fake|dummy|skip(?:s|ped)?|disabled|commented out|returns?|throws?)\b`,
      re`\b(?:i|we) (?:(?:just|have|simply) )*(?:mocked|stubbed|faked|hard-?coded|bypassed)\b`,
      re`\bthrows? (?:an? )?not ?implemented`,
      re`\btemporar(?:y|ily) (?:\w+ )?(?:disabled|commented out|hack|skipped|bypass(?:ed)?)\b`,
    ],
    unless: re`${WAS}|${AGREED}|\b(?:replace|tests? (?:use|now|double|run|with)|(?:in|for) (?:the )?(?:unit |new )?tests?|fixtures?|
input|attribute|image|instead|real implementations?|test (?:server|clock|suite)|with (?:the )?real)\b`,
    unlessBefore: new RegExp(NONE, "u"),
  },
  {
    name: "tests-fail",
    inLogs: true,
    when: [
      re`\b${CHECK}${THERE}{0,4} (?:fail(?:s|ed|ing)?|broken|red|times? out|crash(?:es|ed|ing)?|errors? out|erroring)\b`,
      re`\b(?:is|are) (?:still |currently |now |also )*(?:broken|failing|red)\b(?! (?:and|or|when|if|on hover))`,
      re`\b[1-9]\d* (?:\w+ ){0,2}(?:fail(?:s|ed|ing|ures?)?|broken)\b(?=\W*$|\s*[,.;:()]| (?:tests?|specs?|checks?|assertions?|
suites?|cases?|out|in|on|of|because|due|with|and|so|while|since)\b)`,
      re`(?<!code |status |line )\b(?![45]\d\d )[1-9]\d* (?:(?:type|lint|compile|compilation|compiler|eslint|typescript|tsc|test|
remaining|unresolved|critical) )*errors?\b`,
      re`\b(?:fails?|crash(?:es)?|breaks?) (?:in|on|under) (?:ci|windows|linux|mac\w*|node|production|staging|safari|
firefox|chrome)\b`,
      re`\bthere (?:is|are) (?:still )?(?:an? |some |\w+ )?(?:compile|compilation|compiler|type|lint|syntax|build|runtime) errors?\b`,
      re`^\W*(?:the|this|our|my) (?:\w+ ){1,3}(?:crashes|hangs|segfaults)\b`,
      re`\bexit(?:s|ed)?(?: with)?(?: code| status)? (?:[1-9]|non-?zero)`,
      re`\b(?:fail(?:ed|ures?|ing)|errors?)\s*[:=]\s*[1-9]`,
      re`\b(?:still|${COUNT}) (?:\w+ )?(?:failing|(?:red|broken) (?:tests?|specs?|checks?|builds?|suites?))\b`,
      re`\b(?:test|build|lint|type|compil\w+|ci) (?:failures?|errors?) (?:remain|persist|exist|left)\b`,
      re`\bstill (?:\w+ )?(?:fail(?:s|ed|ing)?|red|crash(?:es|ing)?|breaks?|errors?)\b`,
      re`\b${CHECK} (?:do(?:es)?n't|do(?:es)? not|won't|will not|can't|cannot|isn't|aren't|is not|are not) (?:\w+ )?
(?:pass(?:ing)?|compile|build|run|work|start|succeed|green)\b`,
      re`\b(?:is|are|remains?) (?:still |now |also |quite |sometimes )*flaky\b`,
      re`\b(?:only|single|sole|last|one) (?:\w+ )?(?:failing|failed|red|broken) (?:tests?|checks?|specs?|suites?|cases?) (?:is|are|remains?)\b`,
      re`\b${CHECK} (?:still )?(?:do(?:es)?|did)(?:n't| not)(?: yet| either)?\W*$`,
      re`\b(?:one|two|three|\d+|ones?|others?|rest|some) (?:that |which )?(?:do(?:es)?n't|do(?:es)? not|didn't|did not)(?! \w)`,
    ],
    unless: re`(?!.*\b(?:still|remain(?:s|ing)?)\b)(?:^\W*(?:before|fix)\b|.*${WAS}|.*\b(?:were|was) (?:\w+ ){0,3}(?:failing|broken|red)\b|
.*\b(?:failing|broken|red) (?:\w+ ){0,2}(?:are|is) (?:all |now )*(?:green|passing)\b|
.*${AGREED}|.*\b(?:expected to|xfail|pass(?:es)? again|fail-?(?:fast|safe|over)|to fail\b.*\bpass|
without (?:the|my|this) (?:fix|change|patch)|fail(?:s|ed)? (?:on|in|against) (?:main|master|develop|trunk|the (?:old|previous|original|base))|before (?:the|my|this|and)|then pass)\b)`,
    unlessBefore: re`${NONE}|${BY_DESIGN}|(?:\b(?:not|never|once|stop(?:s|ped)?)|n't)(?: \w+)?\s*$`,
  },
  {
    name: "failed-log",
    inLogs: true,
    exactCase: true,
    when: [/^\s*(?:FAIL(?:ED|URE)?\b|✗|✘|❌|not ok\b)[:\s]+\S/],
    unless: /\b(?:fixed|now passes|expected|→)\b/,
  },
  {
    name: "cannot",
    when: [
      re`(?:^|\b(?:i|we|because|so|and|as|since|but|though|although) )\W*(?:(?:also|therefore|still|currently|simply|just) )*(?:cannot|can't|could not|
couldn't|can not|(?:(?:am|was|were) )?(?:unable|not able) to|(?:was|were)n't able to|failed to|did(?:n't| not) manage to|
won't be able to)\b`,
      re`\b(?:cannot|can't|could not|couldn't) (?:yet )?be (?:completed?|implemented|verified|fixed|run|tested|resolved|finished|
built|executed|reached|installed|done|confirmed|started|deployed|merged)\b`,
      re`\bi(?:'m| am) (?:stuck|giving up)\b|\b(?:gave|giving) up\b|\bran out of (?:time|budget|context|tokens)\b`,
    ],
    unless: re`\bfind (?:any|more|further|other|a single|anything)\b|\b(?:at first|initially|any ?more|until i)\b|
\b(?:reproduce|see|spot|detect|think of|identify)\b.*\b(?:any|any ?more|longer|again|other|further)\b`,
    unlessBefore: re`\b(?:when|if|where|whether|verif\w+|confirm\w*|ensur\w+|test(?:s|ed)? that|users?|clients?|callers?|fixed|
so that|previously|earlier|no longer)\b`,
  },
  {
    name: "blocked",
    when: [
      re`\bblocked (?:by|on|until|because|due|waiting|at|pending)\b`,
      re`\b(?:is|are|am|i'm|remains?|still|currently|got|we're) blocked\b`,
      re`\b(?:blocker|blocking issue|show-?stopper)s?\b`,
      re`\bwait(?:ing)? (?:for|on) (?:\w+ ){0,3}(?:access|approval|credentials|keys?|input|review|confirmation|clarification|answer|
response|permissions?|feedback|decision|you|user|token)\b`,
      re`\b(?:i|we) (?:still |would )?(?:need|require) (?:\w+ ){0,3}(?:information|details|clarification|guidance|input|help|access|
credentials|time|approval|permissions?|context|feedback|confirmation|review)\b`,
      re`\b(?:needs?|requires?) (?:\w+ ){0,3}(?:human|manual|your) (?:input|intervention|help|decision|review|approval|
confirmation)\b`,
    ],
    unless: re`${WAS}|\b(?:requests?|users?|ips?|calls?|accounts?|domains?|traffic|threads?|senders?|contacts?|callers?|attempts?)
\b(?: \w+){0,3} blocked\b|\b(?:not|un)blocked\b|\bif you\b`,
    unlessBefore: re`${NONE}|\b(?:not|was|were|when|if|correctly|gets?)\b|n't\b`,
  },
  {
    name: "skipped",
    when: [
      re`\b(?:${CHECK}|steps?|verification|this|that)(?: \w+){0,2} skipped\b`,
      re`\bskip(?:ped|ping)? (?:\w+ ){0,4}(?:tests?|checks?|suites?|specs?|steps?|parts?|lint(?:ing)?|verification|
type-?check(?:ing)?|review|documentation|docs|them|it|those)\b`,
      re`\b(?:deleted|ignored|removed|excluded) (?:\w+ ){0,3}(?:failing|flaky|broken|red) (?:\w+ )?(?:tests?|checks?|specs?|
assertions?|suites?)\b`,
      re`\b(?:comment(?:ed|ing)? out|disabl(?:e|ed|ing)|mut(?:e|ed)|xfailed|silenced) (?:\w+ ){0,4}(?:tests?|checks?|specs?|
assertions?|suites?|lint(?:er)?|rules?)\b`,
      re`\bmarked (?:\w+ ){0,5}as (?:skip(?:ped)?|xfail|todo)\b`,
    ],
    unless: re`${AGREED}|\b(?:used to|no longer|any ?more|previously|un-?skip\w*|re-?enabled|now (?:run|pass)|passed|skipped (?:when|if|unless|for)|
on (?:windows|macos|linux))\b`,
    unlessBefore: re`${NONE}|(?:\b(?:not|when|if|where|whether|logic for|support for|handles?|were|correctly)|n't)(?: \w+)?\s*$`,
  },
  {
    name: "more-to-do",
    when: [
      re`(?:\b(?:i|we)(?:'ll| will| am going to|'m going to|'re going to| are going to| need to| must| have to)|^\W*will)
(?: now| next| then| still| first| also| later)* ${DO}\b`,
      re`^\W*next(?: up)?[:,]? ${DO}\b`,
      re`\b(?:let me|let's)(?: now| next| then| first| also)* ${DO}\b`,
      re`\b${DO} (?:\w+ ){0,5}${LATER}\b`,
    ],
    unless: re`\b(?:if you|you (?:want|like|need|may|might|could)|could|on request|let me know|had to|no need|don't need|do not need|whenever you)\b|
${AGREED}`,
    unlessBefore: re`${NONE}|\b(?:so that|asked|told|user|plan was|said|instructions?)\b`,
  },
  ...SHORTFALLS,
];
