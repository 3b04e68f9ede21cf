import { zlibSync } from 'fflate';
import { inflate } from '../unpack/inflate.ts';
import { MAX_KEPT_BYTES, UnwrapMeter } from '../unpack/unwrap-meter.ts';
import { malformed, tooLarge } from '../../model/failure.ts';

/** Bytes as text in a report: zlib, then base64, whose letters mean nothing to HTML. Equal bytes give equal text. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const LINE = 2 ** 15;

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
  for (let at = 0; at < bytes.length; at += 3 * LINE) parts.push(lineOf(bytes.subarray(at, at + 3 * LINE)));
  return parts.join('\n');
}

function lineOf(bytes: Uint8Array): string {
  let line = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first, second, third] = [bytes[at]!, bytes[at + 1], bytes[at + 2]];
    const group = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    line += ALPHABET[group >> 18]! + ALPHABET[(group >> 12) & 63]!;
    line += second === undefined ? '=' : ALPHABET[(group >> 6) & 63]!;
    line += third === undefined ? '=' : ALPHABET[group & 63]!;
  }
  return line;
}

const CODES = new Int8Array(128).fill(-1);
for (let code = 0; code < ALPHABET.length; code++) CODES[ALPHABET.charCodeAt(code)] = code;

/** Skips white space. Throws an ImportFailure for any other character. */
function fromBase64(text: string): Uint8Array {
  if (text.length > (MOST_BYTES / 3) * 4) throw tooLarge("the report's data is beyond 1 GiB");
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x3d || unit === 0x0a || unit === 0x0d || unit === 0x20) continue;
    const code = unit < 128 ? CODES[unit]! : -1;
    if (code < 0) throw malformed("the report's data has a character that is not base64");
    held = ((held << 6) | code) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (held >> bits) & 255;
  }
  return bytes.subarray(0, length);
}
