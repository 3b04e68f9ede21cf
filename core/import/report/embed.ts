import { zlibSync } from 'fflate';
import { decodeLatin1 } from '../../model/decode-text.ts';
import { inflate } from '../unpack/inflate.ts';
import { MAX_KEPT_BYTES, UnwrapMeter } from '../unpack/unwrap-meter.ts';
import { malformed, tooLarge } from '../../model/failure.ts';

/** Bytes as text in a report: zlib, then base64, whose letters mean nothing to HTML. Equal bytes give equal text. */

/** Bytes of a line of text; a multiple of 3, so that only the last one is padded. */
const LINE_BYTES = 3 * 2 ** 15;

export function packBytes(bytes: Uint8Array): string {
  return toBase64(zlibSync(bytes, { level: 9 }));
}

/** More than a browser opens as one page. */
const MOST_BYTES = 2 ** 30;

/** Returns a meter for what is packed in one report. */
export const reportMeter = (maxBytes = MAX_KEPT_BYTES): UnwrapMeter =>
  new UnwrapMeter({ what: "the report's data", remedy: '; save the report again', maxBytes });

/** Throws an ImportFailure if the text is something else, or beyond the meter's limits. */
export const unpackBytes = (text: string, meter = reportMeter()): Uint8Array =>
  inflate(fromBase64(text), 'zlib', meter, "the report's data");

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += LINE_BYTES)
    parts.push(btoa(decodeLatin1(bytes.subarray(at, at + LINE_BYTES))));
  return parts.join('\n');
}

/** Skips white space. Throws an ImportFailure if the text is not base64. */
function fromBase64(text: string): Uint8Array {
  if (text.length > (MOST_BYTES / 3) * 4) throw tooLarge("the report's data is beyond 1 GiB");
  let units: string;
  try {
    units = atob(text);
  } catch {
    throw malformed("the report's data is not base64");
  }
  const bytes = new Uint8Array(units.length);
  for (let at = 0; at < units.length; at++) bytes[at] = units.charCodeAt(at);
  return bytes;
}
