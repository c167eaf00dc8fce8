/** Words that say the claim is not true, and the settings in which the same words say nothing of the kind. */
export interface ContradictionRule {
  name: string;
  /** Any of these in a clause, lower-cased unless `exactCase`; a function tells where, or -1. */
  when: readonly (RegExp | ((clause: string) => number))[];
  /** … unless the clause also says this, */
  unless?: RegExp;
  /** … or says this before the words that matched. */
  unlessBefore?: RegExp;
  exactCase?: true;
  /** Counts inside code fences too, where agents paste logs. */
  inLogs?: true;
}

/** Troubles that are over. Behind the clause it answers the trouble; inside the clause it is the trouble's past. */
export const FIXED =
  /\b(?:fixed|resolved|solved|repaired|corrected|addressed|cleared|worked around|unblocked|(?:now|all|both|they|it) (?:pass(?:es)?|works?|succeeds?|runs?)|(?:pass(?:es)?|works?|green|fine|fixed) now|(?:all|both)(?: of them)? (?:now )?pass|is (?:now )?(?:fixed|green|resolved)|no longer|is now|are now|got it working|after the fix)\b/;

const NONE =
  "\\b(?:no|none|nothing|zero|0|without|never|neither|nor|not any|nobody|any|\\w+n't (?:any|anything|leave|have)|free of|instead of|rather than)\\b";
const GONE =
  "(?<!\\b(?:not|never|to|be|not been|not yet|not yet been|not fully|cannot be|to be)\\s|n't\\s|n't been\\s)\\b(?:gone|lifted|behind us|used to|no longer|any ?more|previously|formerly|originally|initially|at first|earlier|had(?: been)?|beforehand|fix(?:ed|es)?|repaired|resolved?s?|solved|removed?s?|removing|deleted|replac(?:ed|es|ing)|eliminated|cleaned|addressed|cleared|corrected|finished|completed|closed|un-?skipped|re-?enabled|now (?:\\w+ )?(?:pass(?:es)?|works?|green|succeeds?|runs?|fixed|implemented))\\b";
const STILL = "(?!.*\\b(?:still|remain(?:s|ing)?)\\b)";
const SUPPOSED =
  "\\b(?:when(?:ever)?|if|where|whether|unless|until|in case|cases?|should|must|would|could|might|so that|so|ensur\\w+|expect\\w*|handl\\w+|simulat\\w+|verif\\w+ (?:that|it|the)|assert\\w*|check(?:s|ed)? (?:that|if)|tests? (?:for|that|whether)|confirm\\w*|deliberately|intentionally|makes?|why|how|which|(?<!\\b(?:note|noticed|means?|aware|fact|mention|found|is|seems|given|admit|say|see) )that|every time|without the|returns?|throws?|raises?|xfail|mark(?:s|ed)?|allowed to|prevents?)\\b";

const rule = (pattern: string): RegExp => new RegExp(pattern);
const SUBJECT =
  "(?:tests?|specs?|suites?|builds?|ci|pipelines?|lint(?:er|ing)?|type-?checks?|typecheck(?:er|ing)?|tsc|compilation|checks?|cases?|assertions?|jobs?|scenarios?|e2e|coverage|migrations?|deploy(?:ment)?s?|it|they|both|_{3,}|them|code|project|server|app)";
const BETWEEN =
  "(?: (?:still|currently|now|also|are|is|have|has|keeps?|suites?|cases?|jobs?|steps?|runs?|sometimes|occasionally|consistently|locally|again|just|both|all|there|tests?|checks?|_+|(?:in|on|under|with|for) (?:the )?[\\w.]+))*";
const COUNT = "(?:[1-9]\\d*|one|two|three|four|five|six|some|several|a few|many|most|multiple|a couple of)";
const WORK =
  "(?:work|tasks?|steps?|items?|issues?|todos?|criteria|stories|story|tests?|failures?|errors?|bugs?|problems?|parts?|pieces?|features?|endpoints?|gaps?|things?)";
const DO =
  "(?:fix|implement|finish|complete|add|write|continue|work on|address|handle|investigate|look into|tackle|refactor|debug|start|do|wire|hook|clean|migrate|resolve|test|verify|update|document|cover|polish|build|create|make|get)";

/** "3 of 5 criteria are met", "3/5 tests pass": a share that is not the whole. */
function notAll(clause: string): number {
  const shares = clause.matchAll(
    /\b(\d{1,6})(?: ?\/ ?| of | out of )(?:the )?(\d{1,6})\b(?! (?:failed|failing|skipped))(?=.*\b(?:pass(?:ed|es|ing)?|met|done|complete[d]?|green|finished|implemented|criteria|tests?|stories|tasks|steps|checks)\b)/g,
  );
  for (const share of shares) if (Number(share[1]) < Number(share[2])) return share.index;
  return -1;
}

/** The rules, in the order in which they are asked. */
export const CONTRADICTIONS: readonly ContradictionRule[] = [
  {
    name: "remaining-work",
    when: [
      rule("\\b(?:still|also|yet) (?:need|have|has|want|plan|must|to)(?:s|ed)?\\b"),
      rule(
        "\\bstill (?:\\w+ )?(?:needed|open|pending|outstanding|missing|incomplete|unfinished|in progress|to ?do|unresolved|unimplemented|working|running|waiting|investigating|lacks?|requires?|broken|left|needs?)\\b",
      ),
      rule("\\bremains? (?:to be|open|unfinished|incomplete|undone|unresolved|unimplemented|broken|to)\\b"),
      rule(`\\bremaining ${WORK}\\b`),
      rule(`\\b${WORK} (?:still )?remain(?:s|ing)?\\b`),
      rule(`\\b${COUNT} (?:\\w+ ){0,2}(?:left|remaining|remain|to go)\\b`),
      rule(
        "\\b(?:further|more|additional|some) (?:\\w+ )?(?:work|changes?|testing|effort|fixes) (?:is|are|will be)? ?(?:still )?(?:needed|required|necessary|remains?)\\b",
      ),
      rule(
        "\\b(?:more|other|further|few|several) (?:things?|tasks?|items?|steps?|stories|work) (?:to do|to finish|to fix|left|to go|remaining)\\b",
      ),
      rule("\\bleft to (?:do|implement|fix|finish|complete|write|address)\\b"),
      rule(
        "\\b(?:yet to be|have yet to|has yet to|needs? (?:further|more|additional|some more) (?:work|testing|investigation))\\b",
      ),
      rule(
        `\\b(?:to be|will be|be|is|are) (?:done|implemented|completed|fixed|added|handled|addressed|finished) (?:later|next|soon|afterwards|tomorrow|in (?:a|the) (?:follow-?up|next|later|future|separate))`,
      ),
      rule(
        `\\b(?:left|deferred?|postponed?|leaving) (?:\\w+ ){0,4}(?:for (?:later|a follow-?up|the next|another)|undone|unfinished|open|unimplemented|incomplete|out for now)`,
      ),
      rule("\\b(?:deferred|postponed)\\b"),
      rule(`\\bfollow-?ups? (?:is|are|work|will be)? ?(?:needed|required|necessary)\\b`),
      rule(
        `\\bnext (?:steps?|iteration|turn|run|session)\\b.*\\b(?:must|needs?|required?|have to|implement|fix|finish|complete|will)\\b`,
      ),
    ],
    unless:
      /\b(?:optional(?:ly)?|nice[- ]to[- ]have|if you|none|n\/a|out of scope|could|may want|as (?:requested|instructed|agreed))\b|\bno longer\b|\bnothing\b|(?<!to )(?:\bis|\bare|\bwas|\bwere|been) (?:now |all )?(?:done|complete|completed|finished|implemented|fixed|closed|resolved|gone)\b|: (?:no|0|zero)\b/,
    unlessBefore: rule(
      `${NONE}(?!,)|\\b(?:fixed|removed|finished|completed|closed|resolved|addressed|did|done) (?:all |every |the |each |both )*(?:of )?(?:the )?$`,
    ),
  },
  {
    name: "unfinished",
    when: [
      rule(
        "(?:\\bnot|n't)(?: \\w+)?(?: yet)?(?: been| be)?(?: \\w+ly)? (?:implemented|done|finished|complete|completed|working|work|fixed|ready|tested|covered|started|supported|passing|pass|written|handled|merged|compile|build|wired|addressed|migrated|in place|there yet|finish|verified|met|satisfied|fulfilled|resolved|run|executed|succeed)\\b",
      ),
      rule(
        "\\b(?:unimplemented|unfinished|incomplete|half-?(?:done|finished|implemented|way)|partial(?:ly)? (?:done|implemented|implementation|complete[d]?|working|finished|works?|fixed|support|migrated)|work in progress|wip|(?:mostly|almost|nearly|partly) (?:done|complete|finished|working|implemented|there)|only part of)\\b",
      ),
      rule(
        "\\b(?:have|has|had|did)(?:n't| not)(?: yet| actually| been able to)* (?:run|ran|test(?:ed)?|verif(?:y|ied)|implement(?:ed)?|finish(?:ed)?|complete[d]?|manage[d]?|get|got|gotten|start(?:ed)?|touched|migrate[d]?|written|write)\\b",
      ),
      rule("\\b(?:is|are) (?:still |currently )?(?:missing|lacking|absent)\\b"),
      rule("\\b[1-9]?\\d ?% (?:complete|done|finished|implemented|there|of the way)\\b"),
      rule("\\buntested\\b"),
    ],
    unless: rule(
      `\\bwas(?:n't| not)\\b.*\\bnow\\b|${GONE.replace("had(?: been)?|", "").replace("finished|completed|", "")}|\\bnot (?:done|finished|complete) until\\b|\\bout of scope\\b|\\bas (?:requested|expected|intended)\\b|\\bby design\\b`,
    ),
    unlessBefore: rule(`${NONE}|${SUPPOSED}`),
  },
  {
    name: "todo",
    exactCase: true,
    when: [
      /\b(?:TODOs?|FIXMEs?|XXX)\b(?! (?:app|list|page|items?|api|component|model|entry|entries))/,
      /\b(?:todo|fixme|Todo|Fixme):/,
    ],
    unless:
      /\b(?:no|zero|0|none|without|any|every|all|remov\w+|delet\w+|resolv\w+|fix(?:ed|es)|address\w+|clean\w+|clear\w+|complet\w+|implement(?:ed|s)|replac\w+|eliminat\w+|turn(?:ed|s)|search\w*|grep\w*|check\w*|pars(?:e[sd]?|ing)|detect\w*|highlight\w*|No|Zero|None|All|Every|Remov\w+|Delet\w+|Resolv\w+|Fixed|Address\w+|Clean\w+|Clear\w+|Complet\w+|Implemented|Replac\w+|Eliminat\w+|Search\w+|Grep\w*|Check\w+|Pars(?:es|ed|ing))\b/,
  },
  {
    name: "stub",
    when: [
      rule("\\bstub(?:bed|s)?\\b"),
      rule("\\b(?:mocked|stubbed|faked)[- ]out\\b"),
      rule(
        "\\bplaceholders? (?:implementation|logic|code|values?|functions?|data|for|until|that|methods?|class|handler|response)",
      ),
      rule(
        "\\b(?:is|are|as|with|returns?|only|just|left|remains?|still|currently) (?:just |only |currently |still )*(?:a |an )?(?:placeholder|dummy|no-?op|mock(?:ed)?|skeleton|fake|hard-?coded)\\b",
      ),
      rule(
        "\\b(?:hard-?coded|mocked?|faked?|dummy|skipped|disabled|commented out|bypassed|temporary)\\b.*\\bfor now\\b",
      ),
      rule(
        "\\bfor now\\b.*\\b(?:hard-?coded|mock(?:ed|s)?|fake|dummy|skip(?:s|ped)?|disabled|commented out|stub(?:bed)?|returns?|throws?)\\b",
      ),
      rule("\\bthrows? (?:a |an )?not ?implemented"),
      rule("\\b(?:temporar(?:y|ily)) (?:\\w+ )?(?:disabled|commented out|hack|skipped|stub|bypass(?:ed)?)\\b"),
    ],
    unless: rule(
      `${GONE}|\\b(?:replace|tests? (?:use|now|double|run|with)|in (?:the )?(?:unit |new )?tests?|fixtures?|input|attribute|image|instead|real implementations?|for (?:the )?(?:unit )?tests?|test (?:server|clock|suite)|with (?:the )?real|as (?:requested|specified|asked))\\b`,
    ),
    unlessBefore: rule(NONE),
  },
  {
    name: "tests-fail",
    inLogs: true,
    when: [
      rule(
        `\\b${SUBJECT}${BETWEEN} (?:fail(?:s|ed|ing)?|broken|red|times? out|crash(?:es|ed|ing)?|errors? out|erroring)\\b`,
      ),
      rule(
        "\\b[1-9]\\d* (?:\\w+ ){0,2}(?:fail(?:s|ed|ing|ures?)?|broken)\\b(?=\\W*$|\\s*[,.;:()]| (?:tests?|specs?|checks?|assertions?|suites?|cases?|out|in|on|of|because|due|with|and|so|while|since)\\b)",
      ),
      rule(
        "(?<!code |status |line )\\b(?![45]\\d\\d )[1-9]\\d* (?:(?:type|lint|compile|compilation|compiler|eslint|typescript|tsc|test|remaining|unresolved|critical) )*errors?\\b",
      ),
      rule("\\bexit(?:s|ed)?(?: with)?(?: code| status)? (?:[1-9]|non-?zero)"),
      rule("\\b(?:fail(?:ed|ures?|ing)|errors?)\\s*[:=]\\s*[1-9]"),
      rule(`\\b(?:still|${COUNT}) (?:\\w+ )?failing\\b`),
      rule("\\b(?:test|build|lint|type|compil\\w+|ci) (?:failures?|errors?) (?:remain|persist|exist|left)\\b"),
      rule("\\bstill (?:\\w+ )?(?:fail(?:s|ed|ing)?|red|crash(?:es|ing)?|breaks?|errors?)\\b"),
      rule(
        `\\b${SUBJECT} (?:do(?:es)?n't|do(?:es)? not|won't|will not|can't|cannot|isn't|aren't|is not|are not) (?:\\w+ )?(?:pass(?:ing)?|compile|build|run|work|start|succeed|green)\\b`,
      ),
      rule(
        "\\b(?:one|two|three|\\d+|ones?|others?|rest|some) (?:that |which )?(?:don't|doesn't|do not|does not|didn't|did not)(?! \\w)",
      ),
    ],
    unless: rule(
      `${STILL}(?:.*${GONE}|.*\\b(?:were|was) (?:\\w+ ){0,3}(?:failing|broken|red)\\b|.*\\b(?:expected to|as expected|on purpose|by design|xfail|pass(?:es)? again|fail-?(?:fast|safe|over)|to fail\\b.*\\bpass|without (?:the|my|this) (?:fix|change|patch)|before (?:the|my|this|and)|then pass)\\b)`,
    ),
    unlessBefore: rule(`${NONE}|${SUPPOSED}|(?:\\b(?:not|never|once|stop(?:s|ped)?)|n't)(?: \\w+)?\\s*$`),
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
      rule(
        `(?:^|\\b(?:i|we|because|so|and|as|since) )\\W*(?:(?:also|therefore|still|currently|simply|just) )*(?:cannot|can't|could not|couldn't|can not|am unable to|was unable to|were unable to|am not able to|was not able to|wasn't able to|failed to|unable to|did not manage to|didn't manage to|not able to|won't be able to)\\b`,
      ),
      rule(
        "\\b(?:cannot|can't|could not|couldn't) (?:yet )?be (?:completed?|implemented|verified|fixed|run|tested|resolved|finished|built|executed|reached|installed|done|confirmed|started|deployed|merged)\\b",
      ),
      rule(
        "\\bi(?:'m| am) (?:stuck|giving up)\\b|\\b(?:gave|giving) up\\b|\\bran out of (?:time|budget|context|tokens)\\b",
      ),
    ],
    unless: rule(
      "\\bfind (?:any|more|further|other|a single|anything)\\b|\\b(?:reproduce|see|spot|detect|think of|identify)\\b.*\\b(?:any|any ?more|longer|again|other|further)\\b|\\bfail(?:ed)? to (?:load|parse) \\w+ (?:is|are) now\\b|\\bat first\\b|\\binitially\\b|\\bany ?more\\b|\\buntil i\\b",
    ),
    unlessBefore: rule(
      "\\b(?:when|if|where|whether|verif\\w+|confirm\\w*|ensur\\w+|test(?:s|ed)? that|users?|clients?|callers?|fixed|so that|previously|earlier|no longer)\\b",
    ),
  },
  {
    name: "blocked",
    when: [
      rule("\\bblocked (?:by|on|until|because|due|waiting|at|pending)\\b"),
      rule("\\b(?:is|are|am|i'm|remains?|still|currently|got|we're) blocked\\b"),
      rule("\\b(?:blocker|blocking issue|show-?stopper)s?\\b"),
      rule(
        "\\b(?:waiting|wait) (?:for|on) (?:\\w+ ){0,3}(?:access|approval|credentials|keys?|input|review|confirmation|clarification|answer|response|permissions?|feedback|decision|you|user|token)\\b",
      ),
      rule(
        "\\b(?:need|requires?|needs) (?:\\w+ ){0,3}(?:human|manual|your) (?:input|intervention|help|decision|review|approval|confirmation)\\b",
      ),
    ],
    unless: rule(
      `${GONE}|\\b(?:requests?|users?|ips?|calls?|accounts?|domains?|traffic|threads?|senders?|contacts?|callers?|attempts?)\\b(?: \\w+){0,3} blocked\\b|\\b(?:not|un)blocked\\b|\\bif you\\b`,
    ),
    unlessBefore: rule(`${NONE}|\\b(?:not|was|were|when|if|correctly|gets?)\\b|n't\\b`),
  },
  {
    name: "skipped",
    when: [
      rule(
        `\\b(?:tests?|suites?|checks?|specs?|steps?|cases?|lint(?:ing)?|build|verification|them|e2e|type-?check|it|this|that)(?: \\w+){0,2} skipped\\b`,
      ),
      rule(
        `\\bskip(?:ped|ping)? (?:\\w+ ){0,4}(?:tests?|checks?|suites?|specs?|steps?|parts?|lint(?:ing)?|verification|type-?check(?:ing)?|review|documentation|docs|them|it|those)\\b`,
      ),
      rule(
        "\\b(?:disabled|commented out|xfailed|deleted|ignored|removed|muted|excluded) (?:\\w+ ){0,3}(?:failing|flaky|broken|red) (?:\\w+ )?(?:tests?|checks?|specs?|assertions?|suites?)\\b",
      ),
      rule(
        "\\b(?:comment(?:ed|ing)? out|disabl(?:e|ed|ing)|mut(?:e|ed)|xfailed|silenced) (?:\\w+ ){0,4}(?:tests?|checks?|specs?|assertions?|suites?|lint(?:er)?|rules?)\\b",
      ),
      rule("\\bmarked (?:\\w+ ){0,5}as (?:skip(?:ped)?|xfail|todo)\\b"),
    ],
    unless: rule(
      `\\b(?:used to|no longer|any ?more|previously|un-?skip\\w*|re-?enabled|now (?:run|pass)|passed|as (?:requested|instructed|asked|expected|specified|intended)|by design|intentional(?:ly)?|on (?:windows|macos|linux))\\b`,
    ),
    unlessBefore: rule(
      `${NONE}|(?:\\b(?:not|when|if|where|whether|logic for|support for|handles?|were|correctly)|n't)(?: \\w+)?\\s*$`,
    ),
  },
  {
    name: "exception",
    when: [
      rule(
        "^\\W*(?:except|apart from|other than|aside from|with the exception of)\\b.*\\b(?:missing|not|n't|fail\\w*|unfinished|left|remain\\w*|skipped|pending|incomplete|yet|todo|open|broken|later|for|the)\\b",
      ),
      rule(
        "\\b(?:done|complete[d]?|finished|works?|working|pass(?:es|ing)?|implemented|ready|green|met|fixed)\\b[^.]*\\b(?:except|apart from|aside from|with the exception of)\\b",
      ),
    ],
    unless: /\b(?:nothing|none|optional|out of scope|lockfile|as (?:requested|instructed|agreed))\b/,
  },
  {
    name: "not-all",
    when: [
      notAll,
      rule(
        "\\b(?:most|some|half|many|nearly all|almost all|a majority|part)(?: of)?(?: the| our)? (?:\\w+ )?(?:tests?|criteria|requirements?|stories|tasks|checks|cases|features?|endpoints|items|suite|work)(?: \\w+)? (?:pass(?:es|ed|ing)?|met|works?|done|complete[d]?|implemented|green|finished|covered)\\b",
      ),
    ],
    unless: rule(`\\b(?:iteration|step|phase|part|page|attempt|round|first|then|up from|was|were|from)\\b|${GONE}`),
    inLogs: true,
  },
  {
    name: "more-to-do",
    when: [
      rule(
        `\\b(?:i|we)(?:'ll| will| am going to|'m going to|'re going to| are going to| need to| must| have to)(?: now| next| then| still| first| also| later)* ${DO}\\b`,
      ),
      rule(`\\b(?:let me|let's)(?: now| next| then| first| also)* ${DO}\\b`),
      rule(
        "\\b(?:fix|handle|address|finish|implement|do|add|complete|revisit|tackle|clean) (?:\\w+ ){0,5}(?:later|afterwards|in a follow-?up|in the next (?:iteration|run|step|pass)|next time|another time)\\b",
      ),
    ],
    unless:
      /\b(?:if you|you (?:want|like|need)|on request|let me know|optional(?:ly)?|had to|no need|don't need|do not need|whenever you)\b/,
    unlessBefore: rule(`${NONE}|\\b(?:so that|asked|told|user|plan was|said|instructions?)\\b`),
  },
];
