import { effect } from "@preact/signals";
import { useCallback, useEffect, useState } from "preact/hooks";
import { type Failure, get } from "./api.ts";
import { touched } from "./live.ts";

export interface Resource<Value> {
  /** The last good answer; null until there is one. */
  value: Value | null;
  failure: Failure | null;
  reload(): void;
}

/** After the last of several changes; a page does not ask for each of them. */
const QUIET_MS = 150;

/**
 * What `GET path` answers, read again when the live view names one of `subjects` (`task/T-1`; `loop/` means any loop).
 * A null path reads nothing.
 */
export function useResource<Value>(path: string | null, subjects: readonly string[] = []): Resource<Value> {
  const [state, setState] = useState<{ path: string | null; value: Value | null; failure: Failure | null }>({
    path: null,
    value: null,
    failure: null,
  });
  const [asked, setAsked] = useState(0);
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  // `asked` makes it read again.
  useEffect(() => {
    if (path === null) return;
    const quit = new AbortController();
    void get<Value>(path, quit.signal).then((answer) => {
      if (quit.signal.aborted) return;
      setState((before) =>
        answer.ok
          ? { path, value: answer.value, failure: null }
          : { path, value: before.path === path ? before.value : null, failure: answer },
      );
    });
    return () => quit.abort();
  }, [path, asked]);
  useTouched(subjects, reload);
  const isCurrent = state.path === path;
  return { value: isCurrent ? state.value : null, failure: isCurrent ? state.failure : null, reload };
}

/** Calls `then` after the live view named one of these subjects. */
export function useTouched(subjects: readonly string[], then: () => void): void {
  const names = subjects.join("\n");
  useEffect(() => {
    const wanted = names === "" ? [] : names.split("\n");
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isFirst = true;
    const stop = effect(() => {
      const news = touched.value;
      // An effect runs once at its beginning.
      if (isFirst) {
        isFirst = false;
        return;
      }
      if (wanted.length === 0 || !(news.everything || isTouched(wanted, news.subjects))) return;
      timer ??= setTimeout(() => {
        timer = null;
        then();
      }, QUIET_MS);
    });
    return () => {
      stop();
      if (timer) clearTimeout(timer);
    };
  }, [names, then]);
}

const isTouched = (wanted: readonly string[], subjects: readonly string[]): boolean =>
  subjects.some((subject) => wanted.some((one) => (one.endsWith("/") ? subject.startsWith(one) : subject === one)));
