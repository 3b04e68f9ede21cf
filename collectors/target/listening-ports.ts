import { runToEnd } from './run-to-end.ts';
import type { Target } from './target.ts';

/** Most processes that are asked about together. */
const MAX_PROCESSES = 100;
/** Bytes read of `/proc/PID/net/tcp`, whose first lines are the listening sockets: some 400 of them. */
const TABLE_BYTES = 64 << 10;
/** 100 processes with some hundred descriptors each. */
const MAX_LIST_BYTES = 8 << 20;
/** Established connections of a busy server: some 7,000. */
const CONNECTED_BYTES = 1 << 20;
/** States of a socket (include/net/tcp_states.h). */
const LISTEN = '0A';
const ESTABLISHED = '01';
/** This machine's loopback addresses as `/proc/net/tcp` and `tcp6` have them. */
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F):/;

type PortsByProcess = ReadonlyMap<number, ReadonlySet<number>>;

/** Returns the TCP ports on which each process listens; processes that this user may not examine are absent. */
export const readListeningPorts = (target: Target, pids: readonly number[]): Promise<PortsByProcess> =>
  readPorts(target, pids, parseListeningPorts, TABLE_BYTES);

/** Returns the ports of this machine's loopback to which each process has a connection open now. */
export const readConnectedPorts = (target: Target, pids: readonly number[]): Promise<PortsByProcess> =>
  readPorts(target, pids, parseConnected, CONNECTED_BYTES);

async function readPorts(
  target: Target,
  pids: readonly number[],
  parse: (table: string) => ReadonlyMap<string, number>,
  tableBytes: number,
): Promise<PortsByProcess> {
  const asked = pids.slice(0, MAX_PROCESSES);
  if (asked.length === 0) return new Map();
  const folders = asked.map((pid) => `/proc/${pid}/fd`);
  const listed = await runToEnd(target, ['sh', '-c', 'exec ls -l "$@" 2>/dev/null', 'sh', ...folders], {
    maxBytes: MAX_LIST_BYTES,
  });
  const sockets = parseSockets(new TextDecoder().decode(listed.stdout), asked);
  const owners = [...sockets.keys()];
  const namespaces = await target.readLinks(owners.map((pid) => `/proc/${pid}/ns/net`));
  /** One process of each network namespace, whose table all of it share. */
  const first = new Map(owners.map((pid, row) => [namespaces[row] ?? `of ${pid}`, pid]));
  const tables = new Map<string, ReadonlyMap<string, number>>();
  for (const [namespace, pid] of first) tables.set(namespace, await readTable(target, pid, parse, tableBytes));
  const ports = new Map<number, ReadonlySet<number>>();
  for (const [row, pid] of owners.entries()) {
    const table = tables.get(namespaces[row] ?? `of ${pid}`);
    const own = [...sockets.get(pid)!].flatMap((inode) => table?.get(inode) ?? []);
    if (own.length > 0) ports.set(pid, new Set(own));
  }
  return ports;
}

async function readTable(
  target: Target,
  pid: number,
  parse: (table: string) => ReadonlyMap<string, number>,
  length: number,
): Promise<ReadonlyMap<string, number>> {
  const files = ['tcp', 'tcp6'].map((name) => ({ path: `/proc/${pid}/net/${name}`, offset: 0, length }));
  const read = await target.readRanges(files);
  return new Map(read.flatMap((bytes) => [...parse(new TextDecoder().decode(bytes ?? new Uint8Array()))]));
}

/** Returns the inodes of the sockets in the lists of `ls -l /proc/PID/fd …`, which names a folder if it lists several. */
export function parseSockets(listed: string, pids: readonly number[]): ReadonlyMap<number, ReadonlySet<string>> {
  const sockets = new Map<number, Set<string>>();
  let pid = pids.length === 1 ? pids[0] : undefined;
  for (const line of listed.split('\n')) {
    const [, folder] = /^\/proc\/(\d+)\/fd:$/.exec(line) ?? [];
    if (folder !== undefined) pid = Number(folder);
    const [, inode] = / -> socket:\[(\d+)\]$/.exec(line) ?? [];
    if (inode === undefined || pid === undefined) continue;
    sockets.set(pid, (sockets.get(pid) ?? new Set()).add(inode));
  }
  return sockets;
}

/** Returns the ports of the listening sockets of a `/proc/net/tcp`, by inode. */
export const parseListeningPorts = (table: string): ReadonlyMap<string, number> =>
  parseTable(table, ({ state, local }) => (state === LISTEN ? local : null));

/** Returns the other end's ports of the connections to this machine's loopback, by inode. */
export const parseConnected = (table: string): ReadonlyMap<string, number> =>
  parseTable(table, ({ state, remote }) => (state === ESTABLISHED && LOOPBACK.test(remote) ? remote : null));

interface SocketRow {
  readonly state: string;
  /** `ADDRESS:PORT`, hexadecimal. */
  readonly local: string;
  readonly remote: string;
}

/** Returns the port of the address that `choose` returns of each row, by inode; null leaves a row out. */
function parseTable(table: string, choose: (row: SocketRow) => string | null): ReadonlyMap<string, number> {
  const ports = new Map<string, number>();
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', state = '', , , , , , inode] = line.trim().split(/\s+/);
    const chosen = choose({ state, local, remote });
    const port = Number.parseInt(/:([0-9A-F]{4})$/.exec(chosen ?? '')?.[1] ?? '', 16);
    if (inode !== undefined && port > 0) ports.set(inode, port);
  }
  return ports;
}
