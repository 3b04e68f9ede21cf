import { crc32 } from '../crc32.ts';
import { ImportFailure, JsonDepth } from '../failure.ts';
import type { Profile } from '../profile.ts';
import type { NativeDocument } from './document.ts';
import {
  ENTRY,
  ENTRY_BYTES,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  MAX_SECTIONS,
  refuseBigEndian,
  SECTION,
  FORMAT_VERSION,
} from './layout.ts';
import { documentFromJson } from './parse-document.ts';

/**
 * Reads a native file. Columns are views into `bytes` if its buffer is aligned to 8, otherwise copies; do not change
 * the bytes afterwards. Throws an ImportFailure if the file is not a native file, is truncated or damaged, or has a
 * newer version; the caller must run `checkProfile`. `bodyCrc` is the CRC-32 of everything after the header, if it was
 * computed while the bytes arrived.
 */
export function readNative(bytes: Uint8Array, bodyCrc?: number): Profile {
  refuseBigEndian();
  const sections = new SectionReader(bytes, bodyCrc);
  const document = sections.document();
  const functionName = sections.int32(SECTION.functionName);
  const frameFunction = sections.int32(SECTION.frameFunction);
  const stackParent = sections.int32(SECTION.stackParent);
  const threadPid = sections.int32(SECTION.threadPid);
  const sampleStack = sections.int32(SECTION.sampleStack);
  return {
    strings: sections.strings(),
    functions: {
      length: functionName.length,
      name: functionName,
      module: sections.int32(SECTION.functionModule),
      file: sections.int32(SECTION.functionFile),
      line: sections.int32(SECTION.functionLine),
      kind: sections.uint8(SECTION.functionKind),
    },
    frames: {
      length: frameFunction.length,
      func: frameFunction,
      address: sections.has(SECTION.frameAddress) ? sections.bigUint64(SECTION.frameAddress) : null,
      line: sections.has(SECTION.frameLine) ? sections.int32(SECTION.frameLine) : null,
      inline: sections.uint8(SECTION.frameInline),
    },
    stacks: { length: stackParent.length, parent: stackParent, frame: sections.int32(SECTION.stackFrame) },
    threads: {
      length: threadPid.length,
      pid: threadPid,
      tid: sections.int32(SECTION.threadTid),
      name: sections.int32(SECTION.threadName),
    },
    samples: {
      length: sampleStack.length,
      stack: sampleStack,
      thread: sections.int32(SECTION.sampleThread),
      event: sections.has(SECTION.sampleEvent) ? sections.uint8(SECTION.sampleEvent) : null,
      time: sections.has(SECTION.sampleTime) ? sections.float64(SECTION.sampleTime) : null,
      ...(sections.has(SECTION.sampleDuration) ? { duration: sections.float64(SECTION.sampleDuration) } : {}),
      cpu: sections.has(SECTION.sampleCpu) ? sections.int16(SECTION.sampleCpu) : null,
      labelSet: sections.has(SECTION.sampleLabelSet) ? sections.int32(SECTION.sampleLabelSet) : null,
      weights: sections.weights(),
      labelSets: document.labelSets,
    },
    valueTypes: document.valueTypes,
    events: document.events,
    metadata: document.metadata,
    diagnostics: document.diagnostics,
  };
}

interface NativeSection {
  readonly elementBytes: number;
  readonly offset: number;
  readonly byteLength: number;
}

class SectionReader {
  readonly #bytes: Uint8Array;
  readonly #sections = new Map<number, NativeSection>();

  constructor(bytes: Uint8Array, bodyCrc: number | undefined) {
    this.#bytes = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const sectionCount = checkHeader(bytes, view, bodyCrc);
    for (let index = 0; index < sectionCount; index++) {
      const row = HEADER_BYTES + index * ENTRY_BYTES;
      const offset = Number(view.getBigUint64(row + ENTRY.offset, true));
      const byteLength = Number(view.getBigUint64(row + ENTRY.byteLength, true));
      const inside = offset >= HEADER_BYTES && offset % 8 === 0 && offset + byteLength <= bytes.length;
      if (!inside) throw damaged('a section lies outside the file', row);
      const elementBytes = view.getUint32(row + ENTRY.elementBytes, true);
      this.#sections.set(view.getUint32(row + ENTRY.id, true), { elementBytes, offset, byteLength });
    }
  }

  has(id: number): boolean {
    return this.#sections.has(id);
  }

  uint8(id: number): Uint8Array {
    const { buffer, offset, length } = this.#column(id, 1);
    return new Uint8Array(buffer, offset, length);
  }

  int16(id: number): Int16Array {
    const { buffer, offset, length } = this.#column(id, 2);
    return new Int16Array(buffer, offset, length);
  }

  int32(id: number): Int32Array {
    const { buffer, offset, length } = this.#column(id, 4);
    return new Int32Array(buffer, offset, length);
  }

  float64(id: number): Float64Array {
    const { buffer, offset, length } = this.#column(id, 8);
    return new Float64Array(buffer, offset, length);
  }

  bigUint64(id: number): BigUint64Array {
    const { buffer, offset, length } = this.#column(id, 8);
    return new BigUint64Array(buffer, offset, length);
  }

  weights(): Float64Array[] {
    const columns: Float64Array[] = [];
    while (this.has(SECTION.weights + columns.length)) columns.push(this.float64(SECTION.weights + columns.length));
    return columns;
  }

  document(): NativeDocument {
    try {
      const bytes = this.uint8(SECTION.document);
      new JsonDepth().push(bytes);
      return documentFromJson(new TextDecoder().decode(bytes));
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) {
        throw damaged(`the JSON section: ${error.message}`, this.#section(SECTION.document).offset);
      }
      throw error;
    }
  }

  strings(): string[] {
    const bytes = this.uint8(SECTION.stringBytes);
    const { buffer, offset, length } = this.#column(SECTION.stringEnds, 4);
    const ends = new Uint32Array(buffer, offset, length);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const whole = bytes.length < MAX_WHOLE_DECODE ? decoder.decode(bytes) : '';
    // As many characters as bytes means all ASCII; slicing one string is then cheaper than one decoder call per string.
    const ascii = whole.length === bytes.length;
    const strings: string[] = [];
    let start = 0;
    for (const end of ends) {
      if (end < start || end > bytes.length)
        throw damaged('the string table', this.#section(SECTION.stringEnds).offset);
      strings.push(ascii ? whole.slice(start, end) : decoder.decode(bytes.subarray(start, end)));
      start = end;
    }
    return strings;
  }

  #section(id: number): NativeSection {
    const section = this.#sections.get(id);
    if (section === undefined) throw damaged(`section ${id} is missing`, HEADER_BYTES);
    return section;
  }

  /** Returns the location of the elements: in the file's own buffer if it is aligned, otherwise in a copy. */
  #column(id: number, elementBytes: number): { buffer: ArrayBufferLike; offset: number; length: number } {
    const section = this.#section(id);
    if (section.elementBytes !== elementBytes || section.byteLength % elementBytes !== 0) {
      throw damaged(`section ${id} has elements of ${section.elementBytes} bytes`, section.offset);
    }
    const length = section.byteLength / elementBytes;
    const offset = this.#bytes.byteOffset + section.offset;
    if (offset % elementBytes === 0) return { buffer: this.#bytes.buffer, offset, length };
    return { buffer: this.#bytes.slice(section.offset, section.offset + section.byteLength).buffer, offset: 0, length };
  }
}

/** Strings have a maximum length (2^29 − 24 in V8); larger tables are decoded string by string. */
const MAX_WHOLE_DECODE = 2 ** 28;

/** Returns the number of sections. */
function checkHeader(bytes: Uint8Array, view: DataView, bodyCrc: number | undefined): number {
  if (MAGIC.some((byte, index) => bytes[index] !== byte))
    throw new ImportFailure('unrecognized', 'not a native file', { byte: 0 });
  if (bytes.length < HEADER_BYTES) throw damaged('the header ends early', bytes.length);
  const version = view.getUint32(HEADER.version, true);
  if (view.getUint32(HEADER.headerCrc, true) !== crc32(0, bytes.subarray(0, HEADER.headerCrc))) {
    throw damaged('the header', 0);
  }
  if (version !== FORMAT_VERSION) {
    throw new ImportFailure(
      'unsupported',
      `a native file of version ${version}, this Flamebench reads ${FORMAT_VERSION}; update it`,
    );
  }
  const fileLength = Number(view.getBigUint64(HEADER.fileLength, true));
  if (fileLength !== bytes.length) {
    const what = fileLength > bytes.length ? 'is truncated' : 'continues after its end';
    throw damaged(`it ${what}: ${bytes.length} bytes of ${fileLength}`, Math.min(bytes.length, fileLength));
  }
  const sectionCount = view.getUint32(HEADER.sectionCount, true);
  if (sectionCount > MAX_SECTIONS || HEADER_BYTES + sectionCount * ENTRY_BYTES > bytes.length) {
    throw damaged('the directory', HEADER.sectionCount);
  }
  const found = bodyCrc ?? crc32(0, bytes.subarray(HEADER_BYTES));
  if (found !== view.getUint32(HEADER.bodyCrc, true)) {
    throw damaged('the checksum does not match', HEADER_BYTES);
  }
  return sectionCount;
}

function damaged(what: string, byte: number): ImportFailure {
  return new ImportFailure('malformed', `native file: ${what}; recreate it from the original capture`, { byte });
}
