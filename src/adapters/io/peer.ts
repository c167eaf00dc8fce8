import { readdirSync, readlinkSync } from "node:fs";
import { endianness, networkInterfaces } from "node:os";
import { namesIn, textAt } from "./look.ts";

/** One end of a connection. */
interface End {
  address: string;
  port: number;
}

/** A connection as the server sees it: the other end, and its own. */
export interface Peer {
  from: End;
  to: End;
}

/**
 * The process at the other end. `sealed`: one of these, which do not let the user see what they have open, such as sshd.
 * `gone`: it is on this machine, and has left. `unknown`: it is on another machine or of another user, or this system
 * does not tell.
 */
export type PeerProcess =
  | { is: "process"; pid: number }
  | { is: "sealed"; pids: readonly number[] }
  | { is: "gone" }
  | { is: "unknown" };

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

export function processAt(peer: Peer): PeerProcess {
  if (process.platform !== "linux") return { is: "unknown" };
  const { from, to } = peer;
  const rows = socketRows();
  // Without the socket that listens, the tables are of no use.
  if (!rows.some(({ local }) => local.endsWith(`:${hexOf(to.port, 2)}`))) return { is: "unknown" };
  const row = rows.find(isOf(peer));
  // A closed socket has no process, and one of another machine is not in the table.
  if (!row || row.inode === "0") return { is: isOfThisMachine(from.address) ? "gone" : "unknown" };
  const { holder, sealed } = lookFor(`socket:[${row.inode}]`);
  if (holder !== null) return { is: "process", pid: holder };
  const own = process.getuid?.() ?? 0;
  if (own !== 0 && row.user !== String(own)) return { is: "unknown" };
  const pids = sealed.filter((pid) => isOfUser(pid, row.user));
  // It may have left while the others were looked at.
  const isOpen = socketRows().find(isOf(peer))?.inode === row.inode;
  return isOpen && pids.length > 0 ? { is: "sealed", pids } : { is: "gone" };
}

const socketRows = () => TABLES.flatMap((table) => textAt(table).split("\n")).map(rowOf);

function isOf({ from, to }: Peer) {
  const [here, there] = [cellOf(from), cellOf(to)];
  return ({ local, remote }: ReturnType<typeof rowOf>) => local.endsWith(here) && remote.endsWith(there);
}

/** Both addresses are `address:port` in hexadecimal. */
function rowOf(line: string) {
  const [, local = "", remote = "", , , , , user = "", , inode = "0"] = line.trim().split(/\s+/);
  return { local, remote, user, inode };
}

/** The end of its cell: in the table of IPv6, a prefix precedes an address of IPv4. */
const cellOf = ({ address, port }: End): string => `${wordsOf(address).map(inMemory).join("")}:${hexOf(port, 2)}`;

const hexOf = (value: number, bytes: number): string =>
  value
    .toString(16)
    .toUpperCase()
    .padStart(2 * bytes, "0");

/** An address as numbers of four bytes. */
function wordsOf(address: string): number[] {
  const four = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (four) return [four.slice(1).reduce((word, byte) => word * 256 + Number(byte), 0)];
  const [head = [], tail = []] = (address.split("%")[0] ?? "")
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const groups = [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
  return [0, 2, 4, 6].map(
    (i) => Number.parseInt(groups[i] ?? "0", 16) * 65_536 + Number.parseInt(groups[i + 1] ?? "0", 16),
  );
}

/** The table shows the bytes as they are in memory. */
function inMemory(word: number): string {
  const hex = hexOf(word, 4);
  return endianness() === "BE" ? hex : (hex.match(/../g) ?? []).toReversed().join("");
}

const isOfThisMachine = (address: string): boolean =>
  LOOPBACK.test(address) ||
  Object.values(networkInterfaces()).some((all) =>
    all?.some((one) => one.address === address.replace(/^::ffff:|%.*$/g, "")),
  );

function lookFor(socket: string): { holder: number | null; sealed: readonly number[] } {
  const sealed: number[] = [];
  for (const name of namesIn("/proc").filter((one) => /^\d+$/.test(one))) {
    const open = openOf(name);
    if (open === null) sealed.push(Number(name));
    else if (open.includes(socket)) return { holder: Number(name), sealed };
  }
  return { holder: null, sealed };
}

/** What a process has open; null if the user may not see that. */
function openOf(pid: string): string[] | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => linkAt(`/proc/${pid}/fd/${fd}`));
  } catch (error) {
    return isMissing(error) ? [] : null;
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (isMissing(error)) return ""; // closed meanwhile
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "");

const isOfUser = (pid: number, user: string): boolean =>
  (/^Uid:(.*)$/m.exec(textAt(`/proc/${pid}/status`))?.[1] ?? "").split("\t").includes(user);
