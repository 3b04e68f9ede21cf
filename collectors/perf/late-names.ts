import { decodeDocument } from '#core/model/decode-text.ts';
import { perfMapText, readJitDump } from '#core/symbols/jit-dump.ts';
import { perfMapTable } from '#core/symbols/perf-map.ts';
import type { SymbolTable } from '#core/symbols/symbols.ts';
import type { CaptureSink } from '../collector.ts';
import { readInnerPid } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { parsePid, parseTargetPath, type TargetPath } from '../target/target-words.ts';
import { TEXT_FILE } from './plan.ts';
import { asBytes, replaceInLines } from './replace-in-lines.ts';

/** Maximum size of a map or dump that is read from the target; a dump has the code itself, too. */
const MAX_LIST_BYTES = 2 ** 28;
/** Maximum number of processes whose code is named. */
const MAX_PROCESSES = 20;
/** A frame without a name, in code that its process compiled. */
const UNNAMED = /^([\t ]+)([0-9a-f]+) \[unknown\] \((\/tmp\/perf-(\d+)\.map)\)$/gm;

/**
 * Names the code that `perf script`, running beside the recording, met before its process listed it, or whose process
 * writes a dump only: from the process's map, else from its dump, as they are on the target after the recording.
 * `unresolved` has the maps that perf looked for; `noted` the dumps that are known by PID, also of processes that have
 * ended.
 */
export async function nameCompiledCode(
  target: Target,
  sink: Pick<CaptureSink, 'read' | 'replace'>,
  unresolved: ReadonlySet<string>,
  noted: ReadonlyMap<number, string> = new Map(),
): Promise<void> {
  const tables = new Map<string, SymbolTable>();
  for (const map of [...unresolved].slice(0, MAX_PROCESSES)) {
    const pid = parsePid(/^\/tmp\/perf-(\d+)\.map$/.exec(map)?.[1]);
    const table = pid !== null ? await readList(target, pid, noted.get(pid) ?? null) : null;
    if (table !== null) tables.set(map, table);
  }
  if (tables.size > 0) await sink.replace(TEXT_FILE, named(sink.read(TEXT_FILE), tables));
}

/** Returns null if the process has listed nothing. */
async function readList(target: Target, pid: number, noted: string | null): Promise<SymbolTable | null> {
  const inner = await readInnerPid(target, pid);
  const map = await readFirst(target, [`/proc/${pid}/root/tmp/perf-${inner}.map`, `/tmp/perf-${pid}.map`]);
  if (map !== null) return perfMapTable(decodeDocument(map).text);
  const mapped = (await findMappedDump(target, pid)) ?? parseTargetPath(noted);
  const paths = mapped === null ? [] : [`/proc/${pid}/root${mapped}`, mapped];
  const dump = await readFirst(target, [...paths, `/proc/${pid}/root/tmp/jit-${inner}.dump`, `/tmp/jit-${pid}.dump`]);
  if (dump === null) return null;
  const codes = await readJitDump((at, length) => Promise.resolve(dump.subarray(at, at + length)));
  return codes.length === 0 ? null : perfMapTable(perfMapText(codes));
}

/** Returns the path of the dump that a process maps while it writes it; null if there is none. */
export async function findMappedDump(target: Target, pid: number): Promise<TargetPath | null> {
  const maps = await target.readFile(`/proc/${pid}/maps`).catch(() => new Uint8Array());
  return parseTargetPath(/^\S+ \S+ \S+ \S+ \S+ +(\/.*\/jit-\d+\.dump)$/m.exec(new TextDecoder().decode(maps))?.[1]);
}

async function readFirst(target: Target, paths: readonly string[]): Promise<Uint8Array | null> {
  for (const path of paths) {
    const bytes = await target.readFile(path, MAX_LIST_BYTES).catch(() => null);
    if (bytes !== null && bytes.length > 0) return bytes;
  }
  return null;
}

const named = (text: AsyncIterable<Uint8Array>, tables: ReadonlyMap<string, SymbolTable>): AsyncGenerator<Uint8Array> =>
  replaceInLines(text, (lines) =>
    lines.replace(UNNAMED, (whole, indent: string, address: string, map: string) => {
      const name = tables.get(map)?.nameAt(BigInt(`0x${address}`)) ?? null;
      return name === null ? whole : `${indent}${address} ${asBytes(name)} (${map})`;
    }),
  );
