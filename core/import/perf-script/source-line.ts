import { decodeText } from '../text/decode-text.ts';
import type { SourceLine } from './frames.ts';
import { BLANK, TAB } from './bytes.ts';

/** Longer ones are no paths. */
const MAX_BYTES = 5000;

/**
 * What -F srcline prints below a frame, indented by two blanks: `file.c:12`, `file.c:12 (inlined)`; `??:0`, `:0` or
 * `libc.so[27b25]` where there is no line information. null where the line is none of these.
 */
export function parseSourceLine(bytes: Uint8Array, start: number, end: number): SourceLine | null {
  const isIndented = bytes[start] === BLANK && bytes[start + 1] === BLANK;
  if (!isIndented || end - start > MAX_BYTES || bytes[start + 2] === BLANK || bytes[start + 2] === TAB) return null;
  const { text } = decodeText(bytes.subarray(start + 2, end));
  const [, file, line, inlined] = /^(.*):(\d+)(?: \(discriminator \d+\))?( \(inlined\))?\s*$/.exec(text) ?? [];
  if (file !== undefined && file !== '??' && file !== '') {
    return { file, line: Number(line), inlined: inlined !== undefined };
  }
  const saysNothing = file !== undefined || /\[[0-9a-f]+\](?: \(inlined\))?\s*$/.test(text) || text.trim() === '';
  return saysNothing ? { file: '', line: 0, inlined: text.trimEnd().endsWith('(inlined)') } : null;
}
