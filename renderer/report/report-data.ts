import type { Report } from '#core/contract/report/report.ts';
import { profileChecks } from '#core/model/check-profile.ts';
import { crc32 } from '#core/model/crc32.ts';
import { HEADER_BYTES } from '#core/model/native/layout.ts';
import { readNative } from '#core/model/native/read.ts';
import type { Profile } from '#core/model/profile.ts';
import { MAX_KEPT_BYTES, UnwrapMeter } from '../../core/import/unpack/unwrap-meter.ts';
import { captureSteps } from '../../core/import/report/columns/columns.ts';
import { captureElement, REPORT_ELEMENT } from '../../core/import/report/layout.ts';
import { prepareReport, type PreparedReport } from '../../core/report/prepare.ts';
import { format } from '../ui/format.ts';
import { patternsInSlices } from './patterns-here.ts';
import { finishInSlices } from '../../core/steps.ts';
import { createYielder, yieldToPage } from './yield-to-page.ts';

/**
 * Reads and analyses the report of the enclosing page in steps, so that the page stays responsive. The data is as
 * trustworthy as the page's script; profiles are checked nevertheless. `tell` receives the current step.
 */
export async function readData(tell: (text: string) => void): Promise<PreparedReport> {
  tell('Reading the data…');
  const meter = new UnwrapMeter({
    what: "the report's data",
    remedy: '; save the report again',
    maxBytes: MAX_KEPT_BYTES,
  });
  await yieldToPage();
  const report = JSON.parse(new TextDecoder().decode(await unpack(REPORT_ELEMENT, meter))) as Report;
  const profiles = new Map<string, Profile>();
  for (const { id } of report.captures) {
    const bytes = await finishInSlices(captureSteps(await unpack(captureElement(id), meter)), createYielder());
    await yieldToPage();
    const profile = readNative(bytes, await checksum(bytes));
    await yieldToPage();
    await finishInSlices(profileChecks(profile), createYielder());
    profiles.set(id, profile);
  }
  tell('Analysing…');
  await yieldToPage();
  // Warms up: the browser takes tens of milliseconds to create its first number format.
  format.value(0.5, 'nanoseconds');
  await yieldToPage();
  format.share(1, 2);
  await yieldToPage();
  return prepareReport(report, profiles, patternsInSlices, createYielder());
}

/** Number of bytes or characters between two pauses. */
const PIECE = 2 ** 18;

/** Returns the CRC-32 of a native file's content after the header. */
async function checksum(bytes: Uint8Array): Promise<number> {
  let crc = 0;
  for (let at = HEADER_BYTES; at < bytes.length; at += PIECE) {
    crc = crc32(crc, bytes.subarray(at, at + PIECE));
    await yieldToPage();
  }
  return crc;
}

async function unpack(id: string, meter: UnwrapMeter): Promise<Uint8Array> {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined) throw new RangeError(`${id} is missing`);
  const packed = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  for (let at = 0; at < text.length;) {
    // Lines are cut at groups.
    const cut = text.indexOf('\n', at + PIECE);
    const end = cut < 0 ? text.length : cut;
    const piece = atob(text.slice(at, end));
    for (let index = 0; index < piece.length; index++) packed[length++] = piece.charCodeAt(index);
    at = end;
    await yieldToPage();
  }
  return inflate(packed.subarray(0, length), meter);
}

/** Number of compressed bytes between two pauses; unpacked, they can be many times larger. */
const PACKED_PIECE = 2 ** 15;

async function inflate(packed: Uint8Array<ArrayBuffer>, meter: UnwrapMeter): Promise<Uint8Array> {
  const { writable, readable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  const written = (async () => {
    for (let at = 0; at < packed.length; at += PACKED_PIECE) {
      meter.sourceBytes += Math.min(PACKED_PIECE, packed.length - at);
      await writer.write(packed.subarray(at, at + PACKED_PIECE));
      await yieldToPage();
    }
    await writer.close();
  })();
  const [bytes] = await Promise.all([readAll(readable.getReader(), meter), written]);
  return bytes;
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, meter: UnwrapMeter): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    meter.take(value.length);
    parts.push(value);
    length += value.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
