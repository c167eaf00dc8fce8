import "./style.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { access, sessionKey, shareSession } from "./api.ts";
import { Frame } from "./frame.tsx";
import { goLive, stopLive } from "./live.ts";
import { startClocks } from "./parts/clock.tsx";
import { followLinks, place, routeOf } from "./router.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
followLinks();
shareSession();
startClocks();
if (sessionKey() === "") access.value = "expired";

// The sign-in page has no key yet; a new session begins to follow with its own.
let isFollowing = false;
effect(() => {
  const should = access.value === "open" && routeOf(place.value.path).page !== "login";
  if (should === isFollowing) return;
  isFollowing = should;
  should ? goLive() : stopLive();
});

const root = document.getElementById("page");
if (root) render(<Frame />, root);
