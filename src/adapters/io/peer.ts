import { readlinkSync } from "node:fs";
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
 * The process at the other end. `hidden`: it is on this machine, and has left or does not let itself be looked at.
 * `unknown`: it is on another machine or of another user, or this system does not tell.
 */
export type PeerProcess = { is: "process"; pid: number } | { is: "hidden" } | { is: "unknown" };

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

export function processAt({ from, to }: Peer): PeerProcess {
  if (process.platform !== "linux") return { is: "unknown" };
  const rows = TABLES.flatMap((table) => textAt(table).split("\n")).map(rowOf);
  // Without the socket that listens, the tables are of no use.
  if (!rows.some(({ local }) => local.endsWith(`:${hexOf(to.port, 2)}`))) return { is: "unknown" };
  const [here, there] = [cellOf(from), cellOf(to)];
  const row = rows.find(({ local, remote }) => local.endsWith(here) && remote.endsWith(there));
  // A closed socket has no process, and one of another machine is not in the table.
  if (!row || row.inode === "0") return { is: isOfThisMachine(from.address) ? "hidden" : "unknown" };
  const pid = holderOf(`socket:[${row.inode}]`);
  if (pid !== null) return { is: "process", pid };
  const own = process.getuid?.() ?? 0;
  return { is: own === 0 || row.user === String(own) ? "hidden" : "unknown" };
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

function holderOf(socket: string): number | null {
  const pids = namesIn("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => namesIn(`/proc/${pid}/fd`).some((fd) => linkAt(`/proc/${pid}/fd/${fd}`) === socket));
  return found === undefined ? null : Number(found);
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // closed meanwhile
  }
}
