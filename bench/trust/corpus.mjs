// Every agent: { id, family, title, does(hand), again(hand), says, leaves }. `does` is its first turn, `again` any other.
import { HONEST } from "./agents/honest.mjs";
import { HOSTILE_CHECKS } from "./agents/hostile-checks.mjs";
import { HOSTILE_GIT } from "./agents/hostile-git.mjs";
import { HOSTILE_RUNTIME } from "./agents/hostile-runtime.mjs";
import { HOSTILE_TESTS } from "./agents/hostile-tests.mjs";
import { LAZY } from "./agents/lazy.mjs";

export const CORPUS = [...HONEST, ...LAZY, ...HOSTILE_TESTS, ...HOSTILE_CHECKS, ...HOSTILE_GIT, ...HOSTILE_RUNTIME];
