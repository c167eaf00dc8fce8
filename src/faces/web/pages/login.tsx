import { useEffect, useState } from "preact/hooks";
import { type Failure, keepSession, post, type Session } from "../api.ts";
import { go } from "../router.ts";

const WANTED = "ralph-wanted";

/** Remembers the page that someone without a session wanted, for after the sign-in. */
function rememberWanted(): void {
  const { pathname, search } = window.location;
  if (pathname !== "/login") sessionStorage.setItem(WANTED, `${pathname}${search}`);
}

function takeWanted(): string {
  const wanted = sessionStorage.getItem(WANTED) ?? "/";
  sessionStorage.removeItem(WANTED);
  return wanted.startsWith("/") && !wanted.startsWith("//") ? wanted : "/";
}

/** Exchanges the code of the link for a session, and removes it from the address and the history. */
export function Login() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(() => window.location.hash.length > 1);
  useEffect(() => {
    const enter = async () => {
      const code = window.location.hash.slice(1);
      history.replaceState(null, "", "/login");
      if (code === "") return;
      setBusy(true);
      const answer = await post<Session>("/api/session", { code });
      setBusy(false);
      setFailure(answer.ok ? null : answer);
      if (!answer.ok) return;
      keepSession(answer.value);
      go(takeWanted(), { replace: true });
    };
    void enter();
    // A new link in the same tab changes only the part after `#`.
    const again = () => void enter();
    window.addEventListener("hashchange", again);
    return () => window.removeEventListener("hashchange", again);
  }, []);
  if (isBusy)
    return (
      <main class="gate">
        <h1>Signing in…</h1>
      </main>
    );
  if (failure) return <Gate title="This link does not work" message={failure.message} hint={failure.hint} />;
  return <Gate title="Sign in" message="Open the link that the server prints." />;
}

/** Shown instead of every page when the session is not valid any more. */
export function NewLink() {
  useEffect(rememberWanted, []);
  return <Gate title="You are signed out" message="The session has ended, or this browser never had one." />;
}

function Gate({ title, message, hint = "" }: { title: string; message: string; hint?: string }) {
  useEffect(() => {
    document.title = `${title} · Ralph`;
  }, [title]);
  return (
    <main class="gate">
      <span class="brand-mark" aria-hidden="true" />
      <h1>{title}</h1>
      <p>{message}</p>
      {hint && <p class="soft">{hint}</p>}
      <p>Get a new link, in the repository:</p>
      <p>
        <code class="command">ralph serve --open</code>
      </p>
      <p class="soft">A link works once. If the server is running, the command uses it.</p>
    </main>
  );
}
