export interface Work {
  kind: "task" | "loop" | "run" | "execution";
  id: string;
}

/** What `press` asks for. Everything that is not drawing is done by the driver. */
export type Action =
  | { do: "quit" }
  /** The page on top is new. */
  | { do: "read" }
  | { do: "cancel"; works: readonly Work[] }
  | { do: "status"; task: string; status: "todo" | "cancelled" };
