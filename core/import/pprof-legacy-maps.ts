/** Code of one file in memory, from `start` to before `limit`. */
interface Mapping {
  readonly start: bigint;
  limit: bigint;
  readonly offset: bigint;
  file: string;
}

/** `/proc/PID/maps`: `00400000-00fcb000 r-xp 00000000 fe:00 1531  /path`. */
const PROC_MAPS =
  /^\s*(?:0x)?([0-9a-f]+)[\s-]?\s*(?:0x)?([0-9a-f]+):?(?:\s+([-rwxps]+))?(?:\s+([0-9a-f]+))?\s+[0-9a-f]+:[0-9a-f]+\s+\d+(?:\s+(\S.*?))?\s*$/i;
/** `00400000-00fcb000: /path (@1000)`. */
const BRIEF_MAPS =
  /^\s*(?:0x)?([0-9a-f]+)[\s-]\s*(?:0x)?([0-9a-f]+):?(?:\s+([-rwxp]+)(?=\s))?(?:\s+(\S+))?(?:\s+\(@([0-9a-f]+)\))?/i;
/** What Google's logging library puts before a line. */
const LOG_PREFIX = /^[^[\]]+:\d+]\s/;
const ATTRIBUTE = /^\s*(\w+)\s*=\s*(.*?)\s*$/;
/** More than any process has. */
const MAX_ADDRESS_DIGITS = 16;

/** Lines after which a memory map follows. */
export function isMemoryMapHeader(line: string): boolean {
  return line.includes('--- Memory map: ---') || line.includes('MAPPED_LIBRARIES:');
}

/** The memory map at the end of a profile: which file an address was in. */
export class LegacyMaps {
  readonly #mappings: Mapping[] = [];
  /** `build=/path` before, `$build/app` after. */
  readonly #attributes = new Map<string, string>();

  /** False where the line is neither blank nor of a memory map. */
  addLine(text: string): boolean {
    const line = text
      .replace(LOG_PREFIX, '')
      .replaceAll(/\$(\w+)/g, (whole, name: string) => this.#attributes.get(name) ?? whole);
    if (line.trim() === '') return true;
    const proc = PROC_MAPS.exec(line);
    const brief = proc === null ? BRIEF_MAPS.exec(line) : null;
    if (proc !== null) this.#add(proc[1]!, proc[2]!, proc[3] ?? '', proc[4] ?? '', proc[5] ?? '');
    else if (brief !== null) this.#add(brief[1]!, brief[2]!, brief[3] ?? '', brief[5] ?? '', brief[4] ?? '');
    else {
      const [, name, value] = ATTRIBUTE.exec(line) ?? [];
      if (name === undefined) return false;
      this.#attributes.set(name, value!);
    }
    return true;
  }

  #add(start: string, limit: string, permissions: string, offset: string, file: string): void {
    if (start.length > MAX_ADDRESS_DIGITS || limit.length > MAX_ADDRESS_DIGITS) return;
    if (permissions !== '' && !permissions.includes('x')) return;
    const next = { start: hex(start), limit: hex(limit), offset: hex(offset || '0'), file };
    const last = this.#mappings.at(-1);
    if (last === undefined || !isContinued(last, next)) this.#mappings.push(next);
    else {
      last.limit = next.limit;
      if (next.file !== '') last.file = next.file;
    }
  }

  /** The file of an address; empty where none is known. */
  finder(): (address: bigint) => string {
    const sorted = this.#mappings.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
    return (address) => {
      const row = lastAtOrBelow(sorted, address);
      const mapping = sorted[row];
      if (mapping !== undefined && address < mapping.limit) return mapping.file;
      // Some tools leave out the beginning of a file whose mapping is in pieces; the next piece's offset tells.
      const next = sorted[row + 1];
      return next !== undefined && next.offset !== 0n && next.start - next.offset <= address ? next.file : '';
    };
  }
}

/** One mapping that is listed in two pieces. As pprof's `adjacent` (profile/profile.go). */
function isContinued(last: Mapping, next: Mapping): boolean {
  if (last.file !== '' && next.file !== '' && last.file !== next.file) return false;
  if (last.limit !== next.start) return false;
  return last.offset === 0n || next.offset === 0n || last.offset + last.limit - last.start === next.offset;
}

function lastAtOrBelow(sorted: readonly Mapping[], address: bigint): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.start <= address) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function hex(digits: string): bigint {
  return BigInt(`0x${digits}`);
}
