import { expect, test } from "vitest";
import { openSessions, type Sessions } from "./sessions.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Sessions with a clock and a token that tests move. */
function opened() {
  const world = { nowMs: 100 * MINUTE, era: "one" };
  const sessions = openSessions({ era: () => world.era, now: () => world.nowMs });
  sessions.close();
  return { world, sessions };
}

function logIn(sessions: Sessions, viewer = false, cookies: string[] = []) {
  const login = sessions.login(sessions.code(viewer).code, cookies);
  if (login.is !== "in") throw new Error(`login: ${login.is}`);
  return login;
}

test("a code works once, and for ten minutes", () => {
  const { world, sessions } = opened();
  const { code, expiresAtMs } = sessions.code(false);
  expect(expiresAtMs).toBe(110 * MINUTE);
  expect(sessions.login(code, [])).toMatchObject({ is: "in", viewer: false });
  expect(sessions.login(code, [])).toEqual({ is: "wrong" });
  const late = sessions.code(false);
  world.nowMs += 10 * MINUTE;
  expect(sessions.login(late.code, [])).toEqual({ is: "wrong" });
});

test("wrong codes are limited for a minute; a right one still works", () => {
  const { world, sessions } = opened();
  const { code } = sessions.code(true);
  for (let i = 0; i < 10; i++) expect(sessions.login("x", [])).toEqual({ is: "wrong" });
  world.nowMs += 30_000;
  expect(sessions.login("x", [])).toEqual({ is: "limited", retryAfterS: 30, isFirst: true });
  expect(sessions.login("x", [])).toMatchObject({ is: "limited", isFirst: false });
  expect(sessions.login(code, [])).toMatchObject({ is: "in", viewer: true });
  world.nowMs += 30_000;
  expect(sessions.login("x", [])).toEqual({ is: "wrong" });
});

test("a session needs its cookie and its key", () => {
  const { sessions } = opened();
  const [one, other] = [logIn(sessions), logIn(sessions)];
  expect(sessions.find([one.cookie], one.key)).toMatchObject({ viewer: false });
  // The server of another port may have set a cookie of the same name.
  expect(sessions.find(["planted", one.cookie], one.key)).not.toBeNull();
  for (const [cookies, key] of [
    [[], one.key],
    [[one.cookie], ""],
    [[one.cookie], one.cookie],
    [[one.key], one.key],
    [[other.cookie], one.key],
    [[one.cookie], other.key],
  ] as const) {
    expect(sessions.find(cookies, key)).toBeNull();
  }
});

test.each<[string, number, number, boolean]>([
  ["used every day", DAY, 29, true],
  ["used every day for 30 days", DAY, 30, false],
  ["not used for a week", 7 * DAY, 1, false],
])("%s", (_what, stepMs, steps, isLive) => {
  const { world, sessions } = opened();
  const { cookie, key } = logIn(sessions);
  const first = sessions.find([cookie], key);
  for (let i = 0; i < steps; i++) {
    world.nowMs += stepMs;
    sessions.find([cookie], key);
  }
  expect(sessions.find([cookie], key) !== null).toBe(isLive);
  expect(first?.ended.aborted).toBe(!isLive);
});

test("logging out, a new login of the same browser, and too many sessions end the others", () => {
  const { world, sessions } = opened();
  const old = logIn(sessions);
  const found = sessions.find([old.cookie], old.key);
  const fresh = logIn(sessions, false, [old.cookie]);
  expect([found?.ended.aborted, sessions.find([old.cookie], old.key)]).toEqual([true, null]);
  const again = sessions.find([fresh.cookie], fresh.key);
  if (again) sessions.end(again);
  expect(sessions.find([fresh.cookie], fresh.key)).toBeNull();
  const first = logIn(sessions);
  for (let i = 0; i < 64; i++) {
    world.nowMs++;
    logIn(sessions);
  }
  expect(sessions.find([first.cookie], first.key)).toBeNull();
  const codes = Array.from({ length: 17 }, () => sessions.code(false).code);
  expect(codes.map((code) => sessions.login(code, []).is)).toEqual(["wrong", ...Array(16).fill("in")]);
});

test("a new token ends all sessions and codes", () => {
  const { world, sessions } = opened();
  const { cookie, key } = logIn(sessions, true);
  const { code } = sessions.code(false);
  const [era, found] = [sessions.era(), sessions.find([cookie], key)];
  world.era = "two";
  expect(sessions.login(code, [])).toEqual({ is: "wrong" });
  expect(sessions.find([cookie], key)).toBeNull();
  expect([era.aborted, found?.ended.aborted, sessions.era().aborted]).toEqual([true, true, false]);
});
