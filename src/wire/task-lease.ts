import type { Lease } from "../core/store.ts";
import { takeLease } from "../store/lease.ts";
import type { Workspace } from "./workspace.ts";

/** Takes the right to work on a task, or returns null when somebody has it. No loop has an id like that. */
export const takeTask = ({ folder }: Workspace, id: string): Promise<Lease | null> =>
  takeLease(folder.leases, `task-${id}`);

/** Where wishes of other processes about a task are kept. */
export const taskInbox = (id: string): string => `task/${id}`;
