/*
 * Rules over the one sentence that holds the tag, lower-cased, with the tag itself as "§". They tell a tag that is
 * uttered from one that is talked about. Every quantifier is bounded or runs over a negated class that excludes "§".
 */

const any = (...words: string[]): string => `(?:${words.join("|")})`;
const words = (most: number): string => `(?:[ ,]+[\\w'’/-]+){0,${most}}?`;

const SAY =
  "(?:output|say|print|emit|write|type|send|return|respond|reply|answer|signal|declare|claim|post|produce|issue|give|include|add|put|use|announce|report|state|provide|display|append|submit|promise|call|mark|finish|end|conclude|place|share|reach|deliver|make|raise|set|leave|drop|trigger|fire)";
const SAYING = `(?:${SAY}s?|(?:output|emit|put)ting|(?:say|print|send|return|respond|reply|answer|signal|signall|post|add|report|display|append|submit|call|mark|finish|end)ing|(?:writ|typ|declar|claim|produc|issu|giv|includ|us|announc|stat|provid|promis|conclud)ing)\\b`;
const SAID =
  "(?:output(?:ted)?|said|printed|emitted|wrote|written|typed|sent|returned|replied|answered|signall?ed|declared|claimed|posted|produced|issued|given|gave|included|announced|reported|stated|contained|had|used)\\b";
const NOT = any(
  "not(?! only)",
  "\\w+n['’]?t(?<=n't|n’t|dont|wont|cant|isnt|didnt)",
  "never",
  "cannot",
  "no longer",
  "without",
  "refus(?:e|es|ing|ed)",
  "declin(?:e|es|ing|ed)",
  "avoid(?:s|ing)?",
  "withh(?:old|olding|eld)",
  "h(?:old|olding|eld) (?:off|back)",
  "refrain(?:s|ing|ed)?",
  "unable",
  "instead of",
  "rather than",
  "hesita\\w+",
  "neither",
  "nor",
  "wrong",
  "prematurely?",
  "dishonest",
  "stop(?:ped|ping)? short",
  "yet to",
  "too (?:early|soon)",
  "resist(?:ing)?",
  "far from",
  "forbidden",
  "prohibited",
  "in no position", "about to", "almost", "nearly",
  "against",
  "delay(?:ing)?",
  "postpon(?:e|ing)",
);
const IF = any(
  "if",
  "once",
  "when",
  "whenever",
  "until",
  "till",
  "unless",
  "as soon as",
  "as long as",
  "provided",
  "assuming",
  "in case",
  "only then",
  "after",
  "before",
  "whether",
  "the moment",
  "by the time",
  "pending",
);
const WILL = any(
  "will",
  "\\w+['’]ll",
  "going to",
  "gonna",
  "shall",
  "plans? to",
  "planning to",
  "intend(?:s|ing)? to",
  "aim(?:ing)? to",
  "want to",
  "hop(?:e|ing) to",
  "(?:be|being) able to",
  "prepar(?:e|ing) to",
  "get(?:ting)? to",
);
const WOULD = any("would", "\\w+['’]d", "could", "might", "may");
const MUST = any(
  "must",
  "should",
  "need(?:s|ed)? to",
  "ha(?:ve|s|d) to",
  "supposed to",
  "(?:asked|told|instructed|ordered|reminded)(?: me| us| you)? to",
  "(?:required|expected|meant|allowed|permitted|free|obliged) to",
  "wants? (?:me|us|you) to",
  "(?:asks?|tells?) (?:me|us|you) to",
  "remember to",
  "(?:is|are|am|was|were) to",
  "can only",
  "so that i can",
  "in order to",
  "has me",
);
const NOUN =
  "(?:promise|signal|tag|marker|phrase|keyword|token|string|sentinel|line|message|word|output|reply|answer|response|text)s?";
const OBJECT =
  "(?: (?:the|this|that|a|an|my|your|with|by|exactly|only|just|precisely|following|final|literal|exact|completion|complete|done|to|me|it|back|out|below|in|as|of|sending|outputting|saying|printing|replying|writing|done|promise|signal|tag|marker|phrase|keyword|token|string|line|message|word|reply|answer|response|text|statement|sentence))";
const SOURCE = any(
  "prompts?",
  "instructions?",
  "task",
  "spec(?:ification)?",
  "docs?",
  "documentation",
  "readme",
  "requirements?",
  "rules?",
  "user",
  "system(?: message)?",
  "criteria",
  "brief",
  "guidelines?",
  "harness",
  "loop",
  "hook",
  "script",
  "parser",
  "regex",
  "detector",
  "workflow",
  "you",
  "agent",
  "model",
  "assistant",
  "it",
  "log",
  "transcript",
  "file",
  "code",
  "runner",
  "ralph",
  "description",
  "ticket",
  "issue",
  "process",
  "function",
  "test",
);
const REPORTS = any(
  "says?",
  "said",
  "states?",
  "ask(?:s|ed)?(?: for| me)?",
  "tells?(?: me)?",
  "told(?: me)?",
  "wants?",
  "requires?",
  "required",
  "reads?",
  "mentions?",
  "mentioned",
  "specif(?:y|ies|ied)",
  "expects?",
  "(?:look|check|wait|search|scan|watch)(?:s|ing|ed)? for",
  "contain(?:s|ed)?",
  "include[sd]?",
  "shows?",
  "demands?",
  "calls? for",
  "ends? (?:on|with|at)",
  "stops? (?:on|at|with)",
  "detect(?:s|ed)?",
  "match(?:es|ed)?",
  "recogni[sz]e[sd]?",
  "defines?",
  "uses?",
  "needs?",
  "printed",
  "output(?:s|ted)?",
  "prints?",
  "emit(?:s|ted)",
  "wrote",
  "returns?",
  "returned",
  "looks like",
  "parse[sd]?",
  "accepts?",
  "rejects?",
  "treats?",
);

const RULES: readonly (readonly [name: string, pattern: RegExp])[] = Object.entries({
  question: ["§[^§]*\\?"],
  negated: [
    `\\b${NOT}${words(5)} ${SAYING}[^§]*§`,
    `\\b${any(NOT, "no", "almost", "nearly", "close to", "towards?", "way to", "get to", "at", "short of", "deserves? a", "than", "ready for", "half", "worth an?")}(?: [\\w'’]+){0,2}[ :]*§`,
    "§[ ,;:(—–-]*(?:but |just |quite )*(?:not )?(?:yet|prematurely|too early|too soon)\\b",
    "\\b(?:hold|keep|sav|reserv|defer|skip|omit|retract|withdraw|revok|drop|cancel|tak|leav)(?:s|e|es|ed|ing|ting|ping|ring|ding)?(?: (?:my|the|a|this|that|out|back|off|on))* § ?(?:back|off|out|away|for|until|till|in reserve|as)?\\b",
    "\\b(?:ignore|disregard|forget|considered|contemplated|tempted)\\b[^§]{0,30}§",
    "[\\w'’] §[ ,;(—–-]*(?:but|although|though|however)\\b",
    "§[ ,;:(—–.!-]*(?:just kidding|not really|scratch that|never ?mind|oops)\\b",
    "§ (?:back|off|away|for (?:later|when|now|the end))\\b",
    "§[^§]*\\b(?:premature|wrong|dishonest|lie|lying|untrue|inappropriate|misleading|incorrect|false|unjustified|unwarranted)\\b",
  ],
  conditional: [
    `^\\W*(?:and |but |only |then |so |that |perhaps |maybe )*${IF}\\b(?![^§]*, [^§]*\\b(?:passed|worked|succeeded|was|were|went|turned)\\b)[^§]*§`,
    `\\b${IF}\\b[^§]*\\b${SAYING}[^§]*§`,
    "\\bwhether\\b[^§]*§",
    "\\b(?:if|once|unless|until|as soon as|whenever|provided|assuming)\\b[^§,;:—–]*[\\w'’] §",
    `\\b${SAYING}${OBJECT}{0,6},? (?:only )?${IF}\\b[^§]*§`,
    "(?:^should (?:ci|the|all|every)|\\b(?:conditional|depend(?:s|ing|ent)) on)\\b[^§]*§",
    `§[ ,;:(—–-]*(?:but |and |only |or |just |exactly )*${IF}\\b`,
    `§ (?:(?!as |since |because |now )[\\w'’]+ ){1,4}${any("once", "until", "unless", "as soon as", "when", "if")}\\b`,
    `§[^§]*\\b(?:only|but) ${any("if", "when", "once", "after")}\\b`,
  ],
  future: [
    `\\b${WILL}${words(4)} ${SAYING}[^§]*§`,
    `\\b${NOUN} (?:${WILL}|${WOULD}|should|must|is going to|is to) (?:be|read|look|say|follow|come)\\b[^§]*§`,
    `\\bthen (?:finally |i |we |just )*(?:${SAYING} )?(?:the )?§`,
    "§ (?:at the (?:very )?end|in the end|later|eventually|soon|next|afterwards?|then|tomorrow|in (?:a|the) (?:later|future|subsequent|next|final|last))\\b",
    "(?:^|[,;:.—–-] *)(?:\\w+ )?(?:next(?: steps?| up)?|to ?do|remaining|pending|plan(?:ned)?|outstanding|goal|target|later|aim|objective)\\s*[:—–-]+\\s*§",
  ],
  hypothetical: [`\\b${WOULD}${words(4)} (?:${SAYING}|be)\\b[^§]*§`],
  instruction: [
    `\\b${MUST}${words(4)} ${SAYING}[^§]*§`,
    `(?:^|[,:;.(—–-]) *(?:please |only |always |just |simply |and |then |finally |do |you |to |now |must |should |can |may )*${SAY}(?: (?:only|up|out|off))?${OBJECT}{0,7} *:? *§`,
    `\\bto (?:signal|indicate|mark|denote|show|output|emit|print|exit|stop|end)\\b(?:(?!\\bi\\b|\\bi'm\\b|here|\\bnow\\b)[^§,])*[,:]? ?(?:use|output|print)?[^§,]{0,12}§`,
    `(?<!\\bas |\\bas the |\\bper the |\\bas your |\\bwhat the )\\b${SOURCE}(?: [\\w'’]+){0,2} ${REPORTS}(?: [\\w'’]+){0,4}[:,]? ?§`,
    "\\b(?:completion|exit|stop|end|final|magic|required|expected|agreed|success|done) (?:promise|signal|marker|tag|phrase|condition|word|string|token|keyword|output)(?: [\\w'’]+)? (?:is|was|are|being|reads|=|must be|to use)\\b[^§]{0,20}§",
    "\\b(?:examples?|e\\.g\\.?|for instance|such as|format|syntax|template|usage|sample|expected(?: output)?|placeholder|something like|looks like)\\b[^§]{0,24}§",
    "\\b(?:instructions?|rules?|requirements?|condition|criteri(?:on|a)|keyword|token|marker|phrase|sentinel)\\s*[:=—–-]+ *§",
  ],
  earlier: [
    `\\b(?:previous(?:ly)?|earlier|last (?:time|run|iteration|turn|round)|mistakenly|accidentally|prematurely|wrongly|by mistake)\\b[^§]*\\b${SAID}[^§]*§`,
    `\\b${SAID}[^§]*§[^§]*\\b(?:by mistake|too early|prematurely|earlier|previously|last (?:time|run|iteration)|in the (?:previous|last))\\b`,
  ],
  mention: [
    "(?<!here is |here's |here comes |gives |giving )\\b(?:the|an?|this|that|earlier|previous|old|of|for|about|like|via|tag|string|literal|text|marker|phrase|token|element|keyword|sequence|contain(?:s|ed|ing)?|mention(?:s|ed|ing)?|echo|printf|grep|called|named|parse[sd]?|parsing|detect(?:s|ed|ing|ion)?|match(?:es|ed|ing)?|recogni\\w+|expect(?:s|ed|ing)?|await(?:s|ing)?|handle[sd]?|handling|support(?:s|ed|ing)?|between|inside|within|around|containing|using|on|by|from|into|where|or|see|seeing|saw|means?|meaning|document(?:s|ed)?|implement(?:s|ed)?|strips?|stripp(?:ed|ing)|escap(?:es|ed|ing)) §",
    "§['’]?s? (?:tags?|signals?|strings?|markers?|phrases?|tokens?|literals?|elements?|promise|line|is|was|were|are|will|would|should|shall|can|cannot|could|must|may|might|means?|has|had|needs?|does|did|ends?|tells?|indicates?|counts?|appears?|comes?|remains?|requires?|\\w+n['’]t|in (?:the|your|my|its|a)|to|or|inside|within|from|into|versus|vs|instead|itself|without|afterwards)\\b(?! be seen)",
  ],
  subordinate: [
    "\\b(?:after|when|once|until|if|before|because|that|which|whenever|where|who) (?:it|he|she|they|you|one|(?:the|an?|your|my|this|each) [\\w'’]+) [\\w'’]+(?: (?:for|on|to|at|with))? §",
  ],
}).flatMap(([name, patterns]) => patterns.map((pattern) => [name, new RegExp(pattern, "u")] as const));

/** A verb of saying that governs the tag (before a colon most of them may as well be nouns: "Final answer:") … */
const TAIL = `(?:${OBJECT}{0,5}|(?: [\\w'’]+){0,3} (?:with|by|as))`;
const VERB_ONLY = "(?:says?|emits?|writes?|responds?|replies|declares?|states|outputs|prints|answers)\\b";
const SAID_TAG = new RegExp(
  `\\b(?:(?:${SAYING}|${SAID}|(?:end|finish|conclud)ed)${TAIL} ?|(?:${VERB_ONLY}|${SAID})${TAIL} *: *)§`,
  "u",
);
/** … utters it only in the speaker's own present: "I hereby say", "and we declare", "Closing with". */
const UTTERED = new RegExp(
  `(?:^|[,;:.!(—–~-] *|\\b(?:so|and|therefore|thus|hence|now|here|that) )(?:(?:i|we)(?:'m|'re| am| are| can| do| hereby| now| therefore| thus| also| will|'ll| shall| have| \\w+ly| (?:happy|glad|proud|pleased|confident|ready|able) to)* )?(?:now |hereby |finally |\\w+ly )*${SAYING}${TAIL} *:? *§`,
  "u",
);

/** Turns that look like a condition or a delay and are none. */
const IDIOMS: readonly RegExp[] = [
  /\b(?:if|should|when|unless|once) (?:you|anything|something|anyone|there(?:['’]s| is| are) any\w*)(?:['’]d)?(?: [\w'’]+){0,2}? ?\b(?:need|want|like|have|prefer|wish|find|notice|require|spot|see|comes?|is|else|are)\b[^,;:.§—–]*(?=[,;:.—–]|$)/gu,
  /\b(?:when|once|after|before|until) (?:i|we) (?:\w+ed|ran|re-?ran|did|got|had)\b/gu,
  /\b(?:after|before|when|while) (?:(?!(?:every|some|any|no)thing)\w+ing\b|\d+|two|three|four|five|several|many|a few|this change|that|careful|thorough|full|extensive)/gu,
  /\b(?:even|as|what|see|check(?:ed)?) (?:if|when)\b/gu,
  /\bif any\b|\bafter all\b|\bonce (?:more|again)\b|\bat once\b|\bcheck(?:ed)? whether\b|\bthan before\b|\bas before\b|\bnot only\b/gu,
];
/** What makes a future an announcement of this very moment: "so I will now output". */
const AT_ONCE =
  /\b(?:now|hereby|therefore|thus|hence|accordingly|consequently|so(?! (?:that|far))|since|because|as (?:all|everything|every|the|requested|instructed)|with (?:all|everything|that))\b/u;
/** Where a sentence turns from its reasons to the utterance itself. */
const TURN = /^.*(?:[,;:—–]| -)\s*(?:and )?(?:so|therefore|thus|hence|accordingly|consequently)\b/u;

/** Names the rule by which a sentence talks about the tag in it instead of uttering it; null when it utters it. */
export function aboutTheTag(lead: string, trail: string): string | null {
  const said = plain(lead).replace(TURN, "so");
  let sentence = `${said}§${plain(trail)}`;
  for (const idiom of IDIOMS) sentence = sentence.replace(idiom, "~");
  const atOnce = AT_ONCE.test(said) && !/\bthen §/.test(sentence);
  for (const [name, pattern] of RULES) {
    if (atOnce && name === "future") continue;
    if (pattern.test(sentence)) return name;
  }
  return SAID_TAG.test(sentence) && !UTTERED.test(sentence) ? "reported" : null;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_~`#"“”„«»\u200b-\u200f\u2060§]/gu, "")
    .replace(/’/gu, "'")
    .replace(/\s+/gu, " ");
}
