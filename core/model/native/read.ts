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
  const functionName = sections.column(Int32Array, SECTION.functionName);
  const frameFunction = sections.column(Int32Array, SECTION.frameFunction);
  const stackParent = sections.column(Int32Array, SECTION.stackParent);
  const threadPid = sections.column(Int32Array, SECTION.threadPid);
  const sampleStack = sections.column(Int32Array, SECTION.sampleStack);
  return {
    strings: sections.strings(),
    functions: {
      length: functionName.length,
      name: functionName,
      module: sections.column(Int32Array, SECTION.functionModule),
      file: sections.column(Int32Array, SECTION.functionFile),
      line: sections.column(Int32Array, SECTION.functionLine),
      kind: sections.column(Uint8Array, SECTION.functionKind),
    },
    frames: {
      length: frameFunction.length,
      func: frameFunction,
      address: sections.columnIfAny(BigUint64Array, SECTION.frameAddress),
      line: sections.columnIfAny(Int32Array, SECTION.frameLine),
      inline: sections.column(Uint8Array, SECTION.frameInline),
    },
    stacks: { length: stackParent.length, parent: stackParent, frame: sections.column(Int32Array, SECTION.stackFrame) },
    threads: {
      length: threadPid.length,
      pid: threadPid,
      tid: sections.column(Int32Array, SECTION.threadTid),
      name: sections.column(Int32Array, SECTION.threadName),
    },
    samples: {
      length: sampleStack.length,
      stack: sampleStack,
      thread: sections.column(Int32Array, SECTION.sampleThread),
      event: sections.columnIfAny(Uint8Array, SECTION.sampleEvent),
      time: sections.columnIfAny(Float64Array, SECTION.sampleTime),
      ...(sections.has(SECTION.sampleDuration)
        ? { duration: sections.column(Float64Array, SECTION.sampleDuration) }
        : {}),
      cpu: sections.columnIfAny(Int16Array, SECTION.sampleCpu),
      labelSet: sections.columnIfAny(Int32Array, SECTION.sampleLabelSet),
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

/** A kind of typed array. */
interface ColumnType<A> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset: number, length: number): A;
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

  /** Returns the elements of a section: in the file's own buffer if it is aligned, otherwise in a copy. */
  column<A>(type: ColumnType<A>, id: number): A {
    const section = this.#section(id);
    const { elementBytes, offset, byteLength } = section;
    if (elementBytes !== type.BYTES_PER_ELEMENT || byteLength % elementBytes !== 0) {
      throw damaged(`section ${id} has elements of ${elementBytes} bytes`, offset);
    }
    const length = byteLength / elementBytes;
    const at = this.#bytes.byteOffset + offset;
    if (at % elementBytes === 0) return new type(this.#bytes.buffer, at, length);
    return new type(this.#bytes.slice(offset, offset + byteLength).buffer, 0, length);
  }

  columnIfAny<A>(type: ColumnType<A>, id: number): A | null {
    return this.#sections.has(id) ? this.column(type, id) : null;
  }

  weights(): Float64Array[] {
    const columns: Float64Array[] = [];
    while (this.has(SECTION.weights + columns.length))
      columns.push(this.column(Float64Array, SECTION.weights + columns.length));
    return columns;
  }

  document(): NativeDocument {
    try {
      const bytes = this.column(Uint8Array, SECTION.document);
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
    const bytes = this.column(Uint8Array, SECTION.stringBytes);
    const ends = this.column(Uint32Array, SECTION.stringEnds);
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
