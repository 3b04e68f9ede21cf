import { decodeText } from '../model/decode-text.ts';

/** Code that a runtime compiled. Addresses and sizes are in bytes. */
export interface JitCode {
  readonly address: bigint;
  readonly size: bigint;
  readonly name: string;
}

/** Returns the bytes from a position of a file; fewer at its end. */
export type ReadAt = (position: number, length: number) => Promise<Uint8Array>;

const MAGIC = 0x4a_69_54_44;
/** JIT_CODE_LOAD and JIT_CODE_MOVE. */
const LOAD = 0;
const MOVE = 1;
/** Of a record: id u32, its whole size u32, timestamp u64. */
const RECORD_HEADER = 16;
/** Of LOAD before the name: pid and tid u32, then vma, address, size and index u64. */
const LOAD_FIELDS = 40;
/** Of MOVE: pid and tid u32, then vma, old address, new address, size and index u64. */
const MOVE_FIELDS = 48;
const MAX_NAME = 4096;
/** Maximum number of records that are read: of a file that another program writes. */
const MAX_RECORDS = 4_000_000;

/**
 * Reads the code that `jit-PID.dump` lists, by address and without overlaps: where code replaced other code, the later
 * counts. Returns none if the file is not a dump; what is damaged or incomplete ends the list. Source:
 * tools/perf/Documentation/jitdump-specification.txt in the kernel.
 */
export async function readJitDump(read: ReadAt): Promise<JitCode[]> {
  const head = await read(0, 16);
  if (head.length < 16) return [];
  const headView = viewOf(head);
  const little = headView.getUint32(0, true) === MAGIC;
  if (!little && headView.getUint32(0, false) !== MAGIC) return [];
  /** In order of their records, by address. */
  const loaded = new Map<bigint, JitCode>();
  const replace = (code: JitCode): void => {
    loaded.delete(code.address);
    if (code.size > 0n) loaded.set(code.address, code);
  };
  let at = headView.getUint32(8, little);
  for (let records = 0; at >= 16 && records < MAX_RECORDS; records += 1) {
    const bytes = await read(at, RECORD_HEADER + MOVE_FIELDS + MAX_NAME);
    if (bytes.length < RECORD_HEADER) break;
    const view = viewOf(bytes);
    const id = view.getUint32(0, little);
    const size = view.getUint32(4, little);
    if (size < RECORD_HEADER) break;
    const u64 = (field: number): bigint => view.getBigUint64(RECORD_HEADER + field, little);
    const known = Math.min(bytes.length, size);
    if (id === LOAD && known > RECORD_HEADER + LOAD_FIELDS) {
      const name = nameIn(bytes.subarray(RECORD_HEADER + LOAD_FIELDS, known));
      replace({ address: u64(16), size: u64(24), name });
    } else if (id === MOVE && known >= RECORD_HEADER + MOVE_FIELDS) {
      const moved = loaded.get(u64(16));
      if (moved !== undefined) {
        loaded.delete(moved.address);
        replace({ ...moved, address: u64(24) });
      }
    }
    at += size;
  }
  return withoutOverlaps([...loaded.values()]);
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function nameIn(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeText(end === -1 ? bytes : bytes.subarray(0, end)).text;
}

/** Takes code in the order in which it was compiled, and returns it by address. */
function withoutOverlaps(compiled: readonly JitCode[]): JitCode[] {
  const order = new Map(compiled.map((code, index) => [code, index]));
  const kept: JitCode[] = [];
  for (const code of compiled.toSorted((a, b) => (a.address < b.address ? -1 : 1))) {
    let isReplaced = false;
    for (let last = kept.at(-1); last !== undefined && last.address + last.size > code.address; last = kept.at(-1)) {
      isReplaced = order.get(last)! > order.get(code)!;
      if (isReplaced) break;
      kept.pop();
    }
    if (!isReplaced) kept.push(code);
  }
  return kept;
}

/** Returns the text of a `/tmp/perf-PID.map` with that code. */
export const perfMapText = (codes: readonly JitCode[]): string =>
  codes.map(({ address, size, name }) => `${address.toString(16)} ${size.toString(16)} ${oneLine(name)}\n`).join('');

/** A line of a map ends with its name. */
const oneLine = (name: string): string => name.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim() || '[unnamed]';
