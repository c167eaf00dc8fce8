import {
  gap,
  IF,
  list,
  MUST,
  NOT,
  NOUN,
  OBJECT,
  REPORTS,
  re,
  SAID,
  SAY,
  SAYING,
  SOURCE,
  WILL,
  WITHHOLD,
  WOULD,
} from "./lexicon.ts";
import { aboutTheTagAbroad } from "./wording-abroad.ts";

/*
 * Rules for the sentence that contains the tag, lower-cased, with the tag itself as "§". They distinguish a tag that is
 * uttered from one that is talked about. A sentence is short, so that no pattern takes long.
 */

const BREAK = "[ ,;:(—–-]*";

const RULES: Readonly<Record<string, readonly RegExp[]>> = {
  question: [/§[^§]*\?/u],
  negated: [
    re`\b${NOT}${gap(5)} ${SAYING}\b[^§]*§`,
    re`\bno(?: [\w']+){0,2} *§`,
    re`\b(?:${NOT}|close to|towards?|way to|get to|at|short of|deserves? an?|than|ready for|half|worth an?)(?: [\w']+){0,2}[ :]*§`,
    re`\b${NOT}(?: [\w']+){0,4} (?:as|with|for|to|of|in|at|on|into) §`,
    re`\b${WITHHOLD}(?: (?:my|the|a|this|that|out|back|off|on))* §`,
    re`\b(?:ignore|disregard|forget|considered|contemplated|tempted)\b[^§]{0,30}§`,
    re`[\w'] §[ ,;(—–-]*(?:but|although|though|however)\b`,
    re`§${BREAK}(?:but |just |quite )*(?:not )?(?:yet|prematurely|too early|too soon)\b`,
    re`§[ ,;:(—–.!-]*(?:just kidding|not really|scratch that|never ?mind|oops)\b`,
    re`§ (?:back|off|away|for (?:later|when|now|the end))\b`,
    re`§[^§]*\b(?:premature|wrong|dishonest|lie|lying|untrue|inappropriate|misleading|incorrect|false|unjustified|unwarranted)\b`,
  ],
  conditional: [
    // A sentence that opens with a condition, unless the rest has already happened.
    re`^\W*(?:and |but |only |then |so |that |perhaps |maybe )*${IF}\b(?![^§]*, [^§]*\b(?:passed|worked|succeeded|was|were|went|turned)\b)[^§]*§`,
    re`\b${IF}\b[^§]*\b${SAYING}\b[^§]*§`,
    re`\bwhether\b[^§]*§`,
    re`\b(?:if|once|unless|until|as soon as|whenever|provided|assuming)\b[^§,;:—–]*[\w'] §`,
    re`\b${SAYING}${OBJECT}{0,6},? (?:only )?${IF}\b[^§]*§`,
    re`(?:^should (?:ci|the|all|every)|\b(?:conditional|depend(?:s|ing|ent)) on)\b[^§]*§`,
    re`§${BREAK}(?:but |and |only |or |just |exactly )*${IF}\b`,
    re`§ (?:(?!as |since |because |now )[\w']+ ){1,4}(?:once|until|unless|as soon as|when|if)\b`,
    re`§[^§]*\b(?:only|but) (?:if|when|once|after)\b`,
  ],
  future: [
    re`\b${WILL}${gap(4)} ${SAYING}\b[^§]*§`,
    re`\b${NOUN} (?:${WILL}|${WOULD}|should|must|is going to|is to) (?:be|read|look|say|follow|come)\b[^§]*§`,
    re`\bthen (?:finally |i |we |just )*(?:${SAYING} )?(?:the )?§`,
    re`§ (?:at the (?:very )?end|in the end|later|eventually|soon|next|afterwards?|then|tomorrow|in (?:a|the) (?:later|future|subsequent|next|final|last))\b`,
    re`(?:^|[,;:.—–-] *)(?:\w+ )?(?:next(?: steps?| up)?|to ?do|remaining|pending|plan(?:ned)?|outstanding|goal|target|later|aim|objective)\s*[:—–-]+\s*§`,
  ],
  hypothetical: [re`\b${WOULD}${gap(4)} (?:${SAYING}|be)\b[^§]*§`],
  instruction: [
    re`\b${MUST}${gap(4)} ${SAYING}\b[^§]*§`,
    // The bare verb at the head of a clause is an order; before a colon some of them are nouns: "Answer:".
    re`(?:^|[,:;.(—–-]) *(?:please |only |always |just |simply |and |then |finally |do |you |to |now |must |should |can |may )*
(?!(?:promise|answer|signal|report|claim|state|issue|end|finish|call|mark|type|use|reply|return|post|share)\s*:)${SAY}(?: (?:only|up|out|off))?${OBJECT}{0,7} *:? *§`,
    re`\bto (?:signal|indicate|mark|denote|show|output|emit|print|exit|stop|end)\b(?:(?!\bi\b|\bi'm\b|here|\bnow\b)[^§,])*[,:]? ?(?:use|output|print)?[^§,]{0,12}§`,
    re`(?<!\bas |\bas the |\bper the |\bas your |\bwhat the )\b${SOURCE}(?: [\w']+){0,2} ${REPORTS}(?: [\w']+){0,4}[:,]? ?§`,
    re`\b(?:completion|exit|stop|end|final|magic|required|expected|agreed|success|done) (?:promise|signal|marker|tag|phrase|condition|word|string|token|keyword|output)(?: [\w']+)? (?:is|was|are|being|reads|=|must be|to use)\b[^§]{0,20}§`,
    re`\b(?:examples?|e\.g\.?|for instance|such as|format|syntax|template|usage|sample|expected|placeholder|something like|looks like)\b[^§]{0,24}§`,
    re`(?<!\b(?:per|following|by|to)(?: the| your)? )\b(?:instructions?|rules?|requirements?|condition|criteri(?:on|a)|keyword|token|marker|phrase|sentinel)\s*[:=—–-]+ *§`,
  ],
  earlier: [
    re`\b(?:previous(?:ly)?|earlier|last (?:time|run|iteration|turn|round)|mistakenly|accidentally|prematurely|wrongly|by mistake)\b[^§]*\b${SAID}\b[^§]*§`,
    re`\b${SAID}\b[^§]*§[^§]*\b(?:by mistake|too early|prematurely|earlier|previously|last (?:time|run|iteration)|in the (?:previous|last))\b`,
  ],
  mention: [
    re`(?<!here is |here's |here comes |gives |giving )\b${list`the|an?|this|that|earlier|previous|old|of|for|about|like|via|tag|
string|literal|text|marker|phrase|token|element|keyword|sequence|echo|printf|grep|called|named|between|inside|within|around|
using|on|by|from|into|where|or|before|after|until|till|see|sees|seeing|saw|means?|meaning|recogni\w+|handling|
(?:justif(?:y|ies)|deserve|warrant|merit|earn|trigger|allow|contain|mention|detect|match|expect|await|support|document|implement|insert|extract|assert|render|cover|reject|accept|find|found|
quot|strip|stripp|pars|replac|renam|chang|remov|delet|mov|stor|compar|logg|defin|configur|validat|ignor|handl|escap|trimm|split)
(?:e|es|ed|s|d|ing|ion)?`} §`,
    re`§'?s? ${list`tags?|signals?|strings?|markers?|phrases?|tokens?|literals?|elements?|promise|line|is|was|were|are|will|would|
should|shall|can|cannot|could|must|may|might|means?|has|had|needs?|does|did|ends?|tells?|indicates?|counts?|appears?|comes?|
remains?|requires?|\w+n't|in (?:the|your|my|its|a)|to (?!signal|mark|indicate|confirm|close|end|finish|show)|or|inside|within|from|into|versus|vs|instead|itself|without|afterwards`}\b`,
    re`\bbetween [\w' ]{1,30} and §`,
    re`\b(?:after|when|once|until|if|before|because|that|which|whenever|where|who) (?:it|he|she|they|you|one|(?:the|an?|your|my|this|each) [\w']+) [\w']+(?: (?:for|on|to|at|with))? §`,
  ],
};

/** A verb of saying governs the tag (before a colon most of them may as well be nouns) … */
const TAIL = list`${OBJECT}{0,5}|(?: [\w']+){0,3} (?:with|by|as)`;
const SAID_TAG = re`\b(?:(?:${SAYING}|${SAID})\b${TAIL} ?|(?:end|finish|conclud)ed\b(?: [\w']+){0,3} (?:with|by) |
(?:says?|emits?|writes?|responds?|replies|declares?|states|outputs|prints|answers|${SAID})\b${TAIL} *: *)§`;
/** … and utters it only in the first person present: "I hereby say", "and we declare", "Closing with". */
const UTTERED = re`(?:(?:^|[,;:.!(—–~-] *|\b(?:so|and|therefore|thus|hence|now|here) )|
(?<!\b(?:do|did|that|which|where|if|when|before|after|until|can|should|will|would|what|how) )\b(?:i|we)(?:'m|'re| am| are| can| do| hereby| now| therefore| thus| also| will|'ll| shall| have| \w+ly| (?:happy|glad|proud|pleased|confident|ready|able) to)* )
(?:now |hereby |finally |\w+ly )*${SAYING}\b${TAIL} *:? *§`;

/** Phrases that look like a condition or a refusal but are not. */
const IDIOMS: readonly RegExp[] = [
  /\b(?:if|should|when|unless|once) (?:you|anything|something|anyone|there(?:'s| is| are) any\w*)(?:'d)?(?: [\w']+){0,2}? ?\b(?:need|want|like|have|prefer|wish|find|notice|require|spot|see|comes?|is|else|are)\b[^,;:.§—–]*(?=[,;:.—–]|$)/gu,
  /\b(?:when|once|after|before|until) (?:i|we) (?:\w+ed|ran|re-?ran|did|got|had)\b/gu,
  /\b(?:after|before|when|while|upon) (?:(?!(?:every|some|any|no)thing)\w+ing\b|\d+|two|three|four|five|several|many|a few|this change|that|careful|thorough|full|extensive)/gu,
  /\b(?:even|as|what|see|check(?:ed)?) (?:if|when)\b/gu,
  /\bif any\b|\bafter all\b|\bonce (?:more|again)\b|\bat once\b|\bcheck(?:ed)? whether\b|\b(?:than|as) before\b|\bnot only\b/gu,
];
/** Words that make a future tense announce the present moment: "so I will now output". */
const AT_ONCE = re`\b(?:now|hereby|therefore|thus|hence|accordingly|consequently|so(?! (?:that|far))|since|because|
as (?:all|everything|every|the|requested|instructed)|with (?:all|everything|that))\b`;
/** Where a sentence turns from its reasons to the utterance itself. */
const TURN = /^.*(?:[,;:—–]| -)\s*(?:and )?(?:so|therefore|thus|hence|accordingly|consequently)\b/u;

/** Names the rule by which a sentence talks about the tag in it; null if it utters the tag. */
export function aboutTheTag(lead: string, trail: string): string | null {
  const said = plain(lead).replace(TURN, "so");
  let sentence = `${said}§${plain(trail)}`;
  for (const idiom of IDIOMS) sentence = sentence.replace(idiom, "~");
  const atOnce = AT_ONCE.test(said) && !/\bthen §/.test(sentence);
  for (const [name, patterns] of Object.entries(RULES)) {
    if (atOnce && name === "future") continue;
    if (patterns.some((pattern) => pattern.test(sentence))) return name;
  }
  if (SAID_TAG.test(sentence) && !UTTERED.test(sentence)) return "reported";
  return aboutTheTagAbroad(sentence);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_~`#"“”„«»\u200b-\u200f\u2060§]/gu, "")
    .replace(/[’‘]/gu, "'")
    .replace(/\s+/gu, " ");
}
