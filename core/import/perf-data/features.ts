import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { ImportFailure } from '../../model/failure.ts';
import type { ProfileMetadata } from '../../model/profile.ts';
import { PerfBytes } from './bytes.ts';

/** Bits of the header's feature set: tools/perf/util/header.h in the kernel. */
export const Feature = {
  tracingData: 1,
  buildId: 2,
  hostName: 3,
  osRelease: 4,
  version: 5,
  arch: 6,
  cpuCount: 7,
  cpuDescription: 8,
  totalMemory: 10,
  commandLine: 11,
  eventDescriptions: 12,
  clockData: 29,
} as const;

/** More arguments than the kernel accepts for a program. */
const MAX_WORDS = 1_000_000;
const MAX_KEPT_TEXT = 100_000;
/** A build id is padded to this in a file; newer files store its true length after it. */
const BUILD_ID_FIELD = 24;
const SHA1_BYTES = 20;
/** The record states the id's length: PERF_RECORD_MISC_BUILD_ID_SIZE. */
const HAS_BUILD_ID_SIZE = 1 << 15;

/** An event's name, and the ids by which its samples refer to it. */
export interface EventDescription {
  readonly name: string;
  readonly ids: readonly bigint[];
}

/** What a perf.data file states about itself and the machine. */
export class PerfDataFeatures {
  /** In the order of the file's events. */
  readonly events: EventDescription[] = [];
  /** By the path of the binary, in hexadecimal. */
  readonly buildIds = new Map<string, string>();
  /** Corresponding times, in nanoseconds, of the wall clock and of the recording's own clock. */
  clock: { readonly wall: bigint; readonly own: bigint } | null = null;
  /** The kernel's symbols, which old versions of perf stored with tracepoints; null if there are none. */
  kallsyms: Uint8Array | null = null;
  readonly #texts = new Map<number, string>();
  #cpuCount: number | null = null;
  #command: string | null = null;
  #totalMemory: string | null = null;

  /**
   * Reads one feature's section. A broken one is noted in `diagnostics`: samples do not depend on it, but the names of
   * samples and machine do.
   */
  read(feature: number, section: () => PerfBytes, diagnostics: DiagnosticCounter): void {
    try {
      this.#read(feature, section());
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      const message = 'Parts of the header could not be read, so names and details may be missing.';
      diagnostics.add('unread-header', message, { first: error.location, remedy: 'Copy the file again.' });
    }
  }

  #read(feature: number, section: PerfBytes): void {
    switch (feature) {
      case Feature.hostName:
      case Feature.osRelease:
      case Feature.version:
      case Feature.arch:
      case Feature.cpuDescription:
        this.#texts.set(feature, readText(section, 0).text);
        break;
      case Feature.cpuCount:
        this.#cpuCount = section.u32(4);
        break;
      case Feature.totalMemory:
        this.#totalMemory = `${section.u64(0)} kB`;
        break;
      case Feature.commandLine:
        this.#command = readWords(section).join(' ').slice(0, MAX_KEPT_TEXT);
        break;
      case Feature.eventDescriptions:
        this.#readEvents(section);
        break;
      case Feature.buildId:
        for (let at = 0; at + 8 <= section.length;) at += this.readBuildId(section.slice(at, section.length));
        break;
      case Feature.clockData:
        if (section.length >= 24) this.clock = { wall: section.big(8), own: section.big(16) };
        break;
      case Feature.tracingData:
        this.kallsyms = readKallsyms(section);
        break;
    }
  }

  /** Reads a struct build_id_event at the section's start; returns its size in bytes. */
  readBuildId(section: PerfBytes): number {
    const size = section.u16(6);
    const idAt = 12;
    if (size < idAt + BUILD_ID_FIELD || size > section.length)
      throw section.malformed(`a build id's record has ${size} bytes`, 0);
    const stated = section.u16(4) & HAS_BUILD_ID_SIZE ? section.bytes[idAt + SHA1_BYTES]! : SHA1_BYTES;
    const id = section.bytes.subarray(idAt, idAt + Math.min(stated, SHA1_BYTES));
    const path = section.text(idAt + BUILD_ID_FIELD, size);
    if (path !== '') this.buildIds.set(path, buildIdText(id));
    return size;
  }

  metadata(): Partial<ProfileMetadata> {
    const description = this.#texts.get(Feature.cpuDescription);
    return {
      tool: 'perf',
      toolVersion: this.#texts.get(Feature.version) ?? null,
      command: this.#command,
      hostName: this.hostName,
      kernel: this.kernel,
      arch: this.#texts.get(Feature.arch) ?? null,
      cpuCount: this.#cpuCount === 0 ? null : this.#cpuCount,
      comments: [
        ...(description === undefined ? [] : [`cpudesc: ${description}`]),
        ...(this.#totalMemory === null ? [] : [`total memory: ${this.#totalMemory}`]),
      ],
    };
  }

  get hostName(): string | null {
    return this.#texts.get(Feature.hostName) ?? null;
  }

  get kernel(): string | null {
    return this.#texts.get(Feature.osRelease) ?? null;
  }

  #readEvents(section: PerfBytes): void {
    const count = section.u32(0);
    const attrBytes = section.u32(4);
    let at = 8;
    for (let event = 0; event < count; event++) {
      at += attrBytes;
      const idCount = section.u32(at);
      const { text: name, end } = readText(section, at + 4);
      if (end + idCount * 8 > section.length) throw section.ends(end);
      this.events.push({ name, ids: Array.from({ length: idCount }, (_, index) => section.big(end + index * 8)) });
      at = end + idCount * 8;
    }
  }
}

/** Reads a struct perf_header_string: a length, then text padded with NUL bytes. */
function readText(section: PerfBytes, at: number): { text: string; end: number } {
  const end = at + 4 + section.u32(at);
  return { text: section.text(at + 4, end), end };
}

function readWords(section: PerfBytes): string[] {
  const count = section.u32(0);
  if (count > MAX_WORDS) throw section.malformed(`a list of ${count} words`, 0);
  const words: string[] = [];
  for (let at = 4; words.length < count;) {
    const { text, end } = readText(section, at);
    words.push(text);
    at = end;
  }
  return words;
}

/** Formats a build id like other tools; empty if all bytes are 0, which means that there is none. */
export function buildIdText(id: Uint8Array): string {
  const hex = Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return /^0*$/.test(hex) ? '' : hex;
}

/**
 * Layout: `<magic> tracing` version, byte order, word size, page size; header files; formats of events; then
 * /proc/kallsyms.
 */
function readKallsyms(section: PerfBytes): Uint8Array | null {
  const versionEnd = section.bytes.indexOf(0, 10);
  if (versionEnd < 0 || section.length < versionEnd + 7) return null;
  // The tracing data has its own byte order.
  const data = new PerfBytes(section.bytes, section.bytes[versionEnd + 1] === 0, section.origin);
  let at = versionEnd + 7;
  const skipNamed = (): void => {
    const nameEnd = data.bytes.indexOf(0, at);
    if (nameEnd < 0) throw data.ends(at);
    at = nameEnd + 1 + 8 + data.u64(nameEnd + 1);
  };
  skipNamed();
  skipNamed();
  const skipFormats = (): void => {
    const count = data.u32(at);
    at += 4;
    for (let index = 0; index < count; index++) at += 8 + data.u64(at);
  };
  skipFormats();
  const systems = data.u32(at);
  at += 4;
  for (let system = 0; system < systems; system++) {
    const nameEnd = data.bytes.indexOf(0, at);
    if (nameEnd < 0) throw data.ends(at);
    at = nameEnd + 1;
    skipFormats();
  }
  const size = data.u32(at);
  return size === 0 ? null : data.slice(at + 4, at + 4 + size).bytes.slice();
}
