import * as z from "zod";
import { component, operation } from "./api.ts";
import { moment } from "./api-atoms.ts";
import { expected, strict } from "./messages.ts";

const viewer = z.boolean().describe("whether it may only look");
const repository = z.string().describe("the name of the repository's folder");

export const createLoginLink = operation({
  id: "createLoginLink",
  method: "POST",
  path: "/api/login-links",
  tag: "sessions",
  summary: "Create a link that signs one browser in, once, within ten minutes",
  access: "token",
  body: component(
    "LoginLinkRequest",
    "What the link gives access to.",
    strict({ viewer: viewer.optional() }, "{ viewer }"),
  ),
  answer: component("LoginLink", "A link for one browser.", z.object({ url: z.string(), viewer, expiresAt: moment })),
});

const CODE_WORDS = "the code of a sign-in link";

export const startSession = operation({
  id: "startSession",
  method: "POST",
  path: "/api/session",
  tag: "sessions",
  summary: "Sign a browser in with the code of a link; later requests need the cookie and the key",
  access: "login",
  body: component(
    "Login",
    "The code of a link.",
    strict({ code: z.string(expected(CODE_WORDS)).max(200, expected(CODE_WORDS)).describe(CODE_WORDS) }, "{ code }"),
  ),
  answer: component(
    "StartedSession",
    "A new session; its cookie is in the header `Set-Cookie`.",
    z.object({
      key: z.string().describe("the value of the header `X-Ralph-Key` of every request"),
      viewer,
      repository,
    }),
  ),
});

export const showSession = operation({
  id: "showSession",
  path: "/api/session",
  tag: "sessions",
  summary: "Show what this session may do",
  answer: component("Session", "Whose request this is.", z.object({ viewer, repository })),
});

export const endSession = operation({
  id: "endSession",
  method: "POST",
  path: "/api/session/end",
  tag: "sessions",
  summary: "Sign out",
  access: "view",
  answer: component("EndedSession", "The session has ended.", z.object({ ok: z.literal(true) })),
});
