import { readlinkSync } from "node:fs";
import { namesIn, textAt } from "./look.ts";

/** A connection from this machine: the port of the other end, and the one it connected to. */
export interface Peer {
  from: number;
  to: number;
}

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/** The process at the other end of a connection; null if it is not known: on another machine, of another user, gone. */
export function processAt(peer: Peer): number | null {
  if (process.platform !== "linux") return null;
  const inode = inodeOf(peer);
  if (inode === null) return null;
  const socket = `socket:[${inode}]`;
  const pids = namesIn("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => namesIn(`/proc/${pid}/fd`).some((fd) => linkAt(`/proc/${pid}/fd/${fd}`) === socket));
  return found === undefined ? null : Number(found);
}

/** Each line has both addresses as `address:port` in hexadecimal. */
function inodeOf({ from, to }: Peer): string | null {
  const [here, there] = [from, to].map((port) => port.toString(16).toUpperCase().padStart(4, "0"));
  for (const table of TABLES) {
    for (const line of textAt(table).split("\n")) {
      const [, local = "", remote = "", , , , , , , inode = "0"] = line.trim().split(/\s+/);
      if (local.endsWith(`:${here}`) && remote.endsWith(`:${there}`) && inode !== "0") return inode;
    }
  }
  return null;
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // closed meanwhile
  }
}
