import { attributeOf } from './section.ts';
import type { FileIdentity } from '../../symbols/symbols.ts';

/** A part of a file in memory, from `start` to before `limit`. */
interface Mapping {
  readonly start: bigint;
  readonly limit: bigint;
  /** Offset in the file; 0 may mean that the map does not state it. */
  readonly offset: bigint;
  file: string;
  /** null if the map does not state it. */
  readonly identity: FileIdentity | null;
}

/** Location of code: its file (empty if unknown), the file's identity, and the offset in it. */
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
/** Paths have at most 4,096 bytes. */
const MAX_LINE_LENGTH = 16_384;
/** Prefix of lines written by Google's logging library. */
const LOG_PREFIX = /^[^[\]]+:\d+]\s/;

/** Lines after which a memory map follows. */
export function isMemoryMapHeader(line: string): boolean {
  return line.includes('--- Memory map: ---') || line.includes('MAPPED_LIBRARIES:');
}

/** The memory map at the end of a profile, which maps addresses to files. */
export class LegacyMaps {
  readonly #mappings: Mapping[] = [];
  /** Definitions such as `build=/path`, used later as `$build/app`. */
  readonly #attributes = new Map<string, string>();

  /** Returns false if the line is neither blank nor part of a memory map. */
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

  /** Substitutes attributes for `$name`, up to the maximum line length. */
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

  /** Returns a function that locates an address. */
  finder(): (address: bigint) => CodePlace {
    const sorted = this.#mappings.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
    return (address) => {
      const row = lastAtOrBelow(sorted, address);
      const mapping = sorted[row];
      if (mapping !== undefined && address < mapping.limit) return placeIn(mapping, address);
      // Some tools leave out the start of a file whose mapping is in pieces; the next piece's offset reveals it.
      const next = sorted[row + 1];
      const isBefore = next !== undefined && next.offset !== 0n && next.start - next.offset <= address;
      return isBefore ? placeIn(next, address) : NOWHERE;
    };
  }
}

function placeIn({ file, identity, start, offset }: Mapping, address: bigint): CodePlace {
  return { file, identity, offset: address - start + offset };
}

/** Returns null for mappings without a file, whose inode is 0. */
function identityOf(major: string, minor: string, inode: string): FileIdentity | null {
  if (/^0+$/.test(inode)) return null;
  return { major: Number.parseInt(major, 16), minor: Number.parseInt(minor, 16), inode: BigInt(inode) };
}

/**
 * Returns whether pieces of one file are adjacent; some tools name only one of them. Like pprof's `adjacent`
 * (profile/profile.go).
 */
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
