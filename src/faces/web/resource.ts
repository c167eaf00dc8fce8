import { effect } from "@preact/signals";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Failure, get } from "./api.ts";
import { touched } from "./live.ts";
import { type Repeated, repeated } from "./repeated.ts";

export interface Resource<Value> {
  /** The last good answer; null until there is one. */
  value: Value | null;
  failure: Failure | null;
  reload(): void;
}

/** How long changes are gathered, from the first one on: a page does not read again for each of them. */
const GATHER_MS = 150;

/**
 * What `GET path` answers, read again when the live view names one of `subjects` (`task/T-1`; `loop/` means any loop).
 * They may depend on the answer.
 */
export function useResource<Value>(
  path: string,
  subjects: readonly string[] | ((value: Value | null) => readonly string[]) = [],
): Resource<Value> {
  const [state, setState] = useState<{ path: string; value: Value | null; failure: Failure | null }>({
    path,
    value: null,
    failure: null,
  });
  const reload = useRepeated(path, async (quit) => {
    const answer = await get<Value>(path, quit);
    if (quit.aborted) return;
    setState((before) =>
      answer.ok
        ? { path, value: answer.value, failure: null }
        : { path, value: before.path === path ? before.value : null, failure: answer },
    );
  });
  const isCurrent = state.path === path;
  const value = isCurrent ? state.value : null;
  useTouched(typeof subjects === "function" ? subjects(value) : subjects, reload);
  return { value, failure: isCurrent ? state.failure : null, reload };
}

/** Does the work at once, when `key` changes, and when what it returns is called. */
export function useRepeated(key: string, work: (quit: AbortSignal) => Promise<void>): () => void {
  const current = useRef<Repeated | null>(null);
  useEffect(() => {
    const one = repeated(work);
    current.current = one;
    one.again();
    return one.close;
  }, [key]);
  return useCallback(() => current.current?.again(), []);
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
      }, GATHER_MS);
    });
    return () => {
      stop();
      if (timer) clearTimeout(timer);
    };
  }, [names, then]);
}

const isTouched = (wanted: readonly string[], subjects: readonly string[]): boolean =>
  subjects.some((subject) => wanted.some((one) => (one.endsWith("/") ? subject.startsWith(one) : subject === one)));
