import { attributeOf } from './section.ts';
import type { FileIdentity } from '../../symbols/symbols.ts';

/** A piece of a file in memory, from `start` to before `limit`. */
interface Mapping {
  readonly start: bigint;
  readonly limit: bigint;
  /** In the file; 0 may mean that the map does not state it. */
  readonly offset: bigint;
  file: string;
  /** null where the map does not state it. */
  readonly identity: FileIdentity | null;
}

/** Where code is: its file (empty where that isn't known) and which file that is, and its offset in it. */
export interface CodePlace {
  readonly file: string;
  readonly identity: FileIdentity | null;
  readonly offset: bigint;
}

const NOWHERE: CodePlace = { file: '', identity: null, offset: 0n };

/** `/proc/PID/maps`: `00400000-00fcb000 r-xp 00000000 fe:00 1531  /path`. */
const PROC_MAPS =
  /^(?:0x)?([0-9a-f]{1,16})[\s-]?\s*(?:0x)?([0-9a-f]{1,16}):?(?:\s+([-rwxps]+))?(?:\s+([0-9a-f]{1,16}))?\s+([0-9a-f]{1,8}):([0-9a-f]{1,8})\s+(\d{1,20})(?:\s+(\S.*))?$/i;
/** `00400000-00fcb000: /path (@1000)`. */
const BRIEF_MAPS =
  /^(?:0x)?([0-9a-f]{1,16})[\s-]\s*(?:0x)?([0-9a-f]{1,16}):?(?:\s+([-rwxp]+)(?=\s))?(?:\s+(\S+))?(?:\s+\(@([0-9a-f]{1,16})\))?/i;
/** Paths have 4,096 bytes at most. */
const MAX_LINE_LENGTH = 16_384;
/** What Google's logging library puts before a line. */
const LOG_PREFIX = /^[^[\]]+:\d+]\s/;

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
    if (text.length > MAX_LINE_LENGTH) return false;
    const line = this.#substituted(text.replace(LOG_PREFIX, '').trim());
    if (line === '') return true;
    const proc = PROC_MAPS.exec(line);
    const brief = proc === null ? BRIEF_MAPS.exec(line) : null;
    if (proc !== null) {
      const [, start = '', limit = '', permissions = '', offset = '', major = '', minor = '', inode = '', file = ''] =
        proc;
      this.#add(start, limit, permissions, offset, file, identityOf(major, minor, inode));
    } else if (brief !== null) {
      const [, start = '', limit = '', permissions = '', file = '', offset = ''] = brief;
      this.#add(start, limit, permissions, offset, file, null);
    } else {
      const attribute = attributeOf(line);
      if (attribute === null || !/^\w+$/.test(attribute.name)) return false;
      this.#attributes.set(attribute.name, attribute.value);
    }
    return true;
  }

  /** With attributes in the place of `$name`, as far as a line may hold them. */
  #substituted(line: string): string {
    let room = MAX_LINE_LENGTH - line.length;
    return line.replaceAll(/\$(\w+)/g, (whole, name: string) => {
      const value = this.#attributes.get(name);
      if (value === undefined || value.length > room) return whole;
      room -= value.length;
      return value;
    });
  }

  #add(
    start: string,
    limit: string,
    permissions: string,
    offset: string,
    file: string,
    identity: FileIdentity | null,
  ): void {
    if (permissions !== '' && !permissions.includes('x')) return;
    const next = { start: hex(start), limit: hex(limit), offset: hex(offset || '0'), file, identity };
    const last = this.#mappings.at(-1);
    if (last !== undefined && isContinued(last, next)) {
      last.file ||= next.file;
      next.file ||= last.file;
    }
    this.#mappings.push(next);
  }

  /** Where an address is. */
  finder(): (address: bigint) => CodePlace {
    const sorted = this.#mappings.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
    return (address) => {
      const row = lastAtOrBelow(sorted, address);
      const mapping = sorted[row];
      if (mapping !== undefined && address < mapping.limit) return placeIn(mapping, address);
      // Some tools leave out the beginning of a file whose mapping is in pieces; the next piece's offset tells.
      const next = sorted[row + 1];
      const isBefore = next !== undefined && next.offset !== 0n && next.start - next.offset <= address;
      return isBefore ? placeIn(next, address) : NOWHERE;
    };
  }
}

function placeIn({ file, identity, start, offset }: Mapping, address: bigint): CodePlace {
  return { file, identity, offset: address - start + offset };
}

/** null for what is no file: its inode is 0. */
function identityOf(major: string, minor: string, inode: string): FileIdentity | null {
  if (/^0+$/.test(inode)) return null;
  return { major: Number.parseInt(major, 16), minor: Number.parseInt(minor, 16), inode: BigInt(inode) };
}

/** Adjacent pieces of one file, of which some tools name only one. As pprof's `adjacent` (profile/profile.go). */
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
