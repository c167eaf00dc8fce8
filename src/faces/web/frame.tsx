import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Questions } from "./actions.tsx";
import { access, repository, signOut, viewer } from "./api.ts";
import { connection, problem } from "./live.ts";
import { Navigation } from "./navigation.tsx";
import { Login, NewLink } from "./pages/login.tsx";
import { PageOf } from "./pages.tsx";
import { Button } from "./parts/button.tsx";
import { Icon } from "./parts/icon.tsx";
import { Toasts } from "./parts/toast.tsx";
import { PAGES, place, routeOf } from "./router.ts";
import { nextTheme, theme } from "./theme.ts";

/** Everything around a page: navigation, the state of the connection, messages. */
export function Frame() {
  const { page, id } = routeOf(place.value.path);
  const main = useRef<HTMLElement>(null);
  useTitle();
  // The new page is announced by its heading. The first page and filters leave the focus alone.
  const onShown = () => {
    const { by } = place.peek();
    if (by !== "link" && by !== "history") return;
    if (by === "link") window.scrollTo(0, 0);
    (main.current?.querySelector("h1") ?? main.current)?.focus({ preventScroll: true });
  };
  if (page === "login") return <Login />;
  if (access.value === "expired") return <NewLink />;
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="side">
        <a class="brand" href="/">
          <span class="brand-mark" aria-hidden="true" />
          <span>Ralph</span>
          {repository.value && (
            <span class="brand-repository" title={repository.value}>
              {repository}
            </span>
          )}
        </a>
        <Navigation page={page} />
        <SideEnd />
      </header>
      <main id="content" ref={main} tabIndex={-1} class={`page page-${page}`}>
        <Banner />
        <PageOf page={page} id={id} onShown={onShown} />
      </main>
      <Questions />
      <Toasts />
    </div>
  );
}

/** The title of the window: what it shows, the repository, the product. */
function useTitle(): void {
  useSignalEffect(() => {
    const { page, id } = routeOf(place.value.path);
    // Without a session, what is shown has a title of its own.
    if (page === "login" || access.value === "expired") return;
    const name = id === "" ? PAGES[page] : `${id} · ${PAGES[page]}`;
    document.title = [name, repository.value, "Ralph"].filter(Boolean).join(" · ");
  });
}

function SideEnd() {
  return (
    <div class="side-end">
      <Connection />
      <button
        type="button"
        class="icon-button"
        aria-label={`Colours: ${theme.value}`}
        title={`Colours: ${theme.value}`}
        onClick={nextTheme}
      >
        <Icon name="theme" />
      </button>
      <button type="button" class="icon-button" aria-label="Sign out" title="Sign out" onClick={() => void signOut()}>
        <Icon name="leave" />
      </button>
    </div>
  );
}

const CONNECTION_WORDS = {
  connecting: "connecting",
  live: "live",
  stale: "out of date",
  lost: "disconnected",
} as const;

function Connection() {
  const state = connection.value === "live" && problem.value !== null ? "stale" : connection.value;
  return (
    <span class={`connection is-${state}`}>
      <span class="dot" aria-hidden="true" />
      {CONNECTION_WORDS[state]}
      {viewer.value && <span class="soft"> · read-only</span>}
    </span>
  );
}

/** Why what is shown may be out of date. */
export function Banner() {
  return (
    <div aria-live="polite">
      {problem.value !== null && (
        <div class="banner tone-warn">The server cannot read the journal: {problem}. Data may be out of date.</div>
      )}
      {connection.value === "lost" && (
        <div class="banner tone-warn">
          Disconnected. Data may be out of date. Reconnecting…{" "}
          <span class="soft">
            Is <code>ralph serve</code> running?
          </span>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </div>
      )}
    </div>
  );
}
