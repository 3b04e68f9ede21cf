import { crc32 } from '../crc32.ts';
import type { Profile } from '../profile.ts';
import { documentOf, documentToJson } from './document.ts';
import {
  aligned,
  ENTRY,
  ENTRY_BYTES,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  refuseBigEndian,
  SECTION,
  FORMAT_VERSION,
} from './layout.ts';

type SectionArray = Int32Array | Uint8Array | Int16Array | Uint32Array | Float64Array | BigUint64Array;

/**
 * Returns the profile as a native file, in chunks to be written one after the other. Columns are not copied, so write
 * the chunks before the profile's buffers change. Throws a RangeError if the strings exceed 4 GiB.
 */
export function writeNative(profile: Profile): Uint8Array[] {
  refuseBigEndian();
  const sections = sectionsOf(profile);
  const directory = new Uint8Array(aligned(sections.length * ENTRY_BYTES));
  const view = new DataView(directory.buffer);
  const body: Uint8Array[] = [directory];
  let offset = HEADER_BYTES + directory.length;
  sections.forEach(([id, array], index) => {
    const row = index * ENTRY_BYTES;
    view.setUint32(row + ENTRY.id, id, true);
    view.setUint32(row + ENTRY.elementBytes, array.BYTES_PER_ELEMENT, true);
    view.setBigUint64(row + ENTRY.offset, BigInt(offset), true);
    view.setBigUint64(row + ENTRY.byteLength, BigInt(array.byteLength), true);
    body.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    const padding = aligned(array.byteLength) - array.byteLength;
    if (padding > 0) body.push(new Uint8Array(padding));
    offset += array.byteLength + padding;
  });
  return [header(sections.length, offset, body), ...body];
}

function header(sectionCount: number, fileLength: number, body: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(HEADER.version, FORMAT_VERSION, true);
  view.setUint32(HEADER.sectionCount, sectionCount, true);
  view.setBigUint64(HEADER.fileLength, BigInt(fileLength), true);
  view.setUint32(HEADER.bodyCrc, body.reduce(crc32, 0), true);
  view.setUint32(HEADER.headerCrc, crc32(0, bytes.subarray(0, HEADER.headerCrc)), true);
  return bytes;
}

function sectionsOf(profile: Profile): [number, SectionArray][] {
  const { functions, frames, stacks, threads, samples } = profile;
  const strings = encodeStrings(profile.strings);
  const sections: [number, SectionArray | null][] = [
    [SECTION.document, new TextEncoder().encode(documentToJson(documentOf(profile)))],
    [SECTION.stringEnds, strings.ends],
    [SECTION.stringBytes, strings.bytes],
    [SECTION.functionName, functions.name],
    [SECTION.functionModule, functions.module],
    [SECTION.functionFile, functions.file],
    [SECTION.functionLine, functions.line],
    [SECTION.functionKind, functions.kind],
    [SECTION.frameFunction, frames.func],
    [SECTION.frameAddress, frames.address],
    [SECTION.frameLine, frames.line],
    [SECTION.frameInline, frames.inline],
    [SECTION.stackParent, stacks.parent],
    [SECTION.stackFrame, stacks.frame],
    [SECTION.threadPid, threads.pid],
    [SECTION.threadTid, threads.tid],
    [SECTION.threadName, threads.name],
    [SECTION.sampleStack, samples.stack],
    [SECTION.sampleThread, samples.thread],
    [SECTION.sampleEvent, samples.event],
    [SECTION.sampleTime, samples.time],
    [SECTION.sampleCpu, samples.cpu],
    [SECTION.sampleLabelSet, samples.labelSet],
    [SECTION.sampleDuration, samples.duration ?? null],
    ...samples.weights.map((column, index): [number, SectionArray] => [SECTION.weights + index, column]),
  ];
  return sections.filter((section): section is [number, SectionArray] => section[1] !== null);
}

/** Encodes the strings consecutively as UTF-8; `ends[i]` is the end of string i. */
function encodeStrings(strings: readonly string[]): { ends: Uint32Array; bytes: Uint8Array } {
  const encoder = new TextEncoder();
  const ends = new Uint32Array(strings.length);
  let bytes = new Uint8Array(64 * 1024);
  let used = 0;
  strings.forEach((text, row) => {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const needed = used + text.length * 3;
    if (needed > bytes.length) {
      const grown = new Uint8Array(Math.max(needed, bytes.length * 2));
      grown.set(bytes.subarray(0, used));
      bytes = grown;
    }
    used += encoder.encodeInto(text, bytes.subarray(used)).written;
    if (used > 0xffff_ffff) throw new RangeError('names larger than 4 GiB do not fit into a native file');
    ends[row] = used;
  });
  return { ends, bytes: bytes.subarray(0, used) };
}
