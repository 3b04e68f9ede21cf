import { expect, test } from 'vitest';
import { CONTROL, escapeControls, escapeLines, escapePrompt } from '#core/contract/escape-controls.ts';
import { escapeJsonControls } from '#app/cli/output/json-text.ts';
import { outputBytes } from '#app/cli/output/terminal.ts';

const RANGES = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2069],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
] as const;
const controls = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, place) => String.fromCodePoint(first + place)),
);

test.each(controls.map((control) => [control.codePointAt(0)!.toString(16), control]))(
  'U+%s is escaped',
  (_, control) => {
    expect(escapeControls(control)).toMatch(/^\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]{5}\})$/);
    expect(escapeLines(`a${control}b`)).toBe(
      '\n\t'.includes(control) ? `a${control}b` : `a${escapeControls(control)}b`,
    );
    expect(escapePrompt(control) === control).toBe('\b\t\n\r'.includes(control));
    if (control !== '\n') expect(JSON.parse(escapeJsonControls(JSON.stringify(control)))).toBe(control);
  },
);

test('keeps text of all scripts, and escapes only once', () => {
  const text = 'std::vec<T>::push – Größe 関数 функция 👩 café\\x1b';
  expect(escapeControls(text)).toBe(text);
  expect(escapeControls(escapeControls('\u001b\u{e0041}'))).toBe('\\x1b\\u{e0041}');
});

test.each([1, 2, 3, 7])('escapes bytes for a terminal if characters span chunks of %i', (size) => {
  const bytes = new TextEncoder().encode('main;\u202e\u{e0041}\u009bé 3\n\ufeffend');
  const shown: Uint8Array[] = [];
  const output = outputBytes(true, (chunk) => shown.push(chunk));
  for (let at = 0; at < bytes.length; at += size) output.write(bytes.subarray(at, at + size));
  output.end();
  expect(Buffer.concat(shown).toString()).toBe('main;\\u202e\\u{e0041}\\x9bé 3\n\\ufeffend');
});

test('escapes bytes that are not UTF-8 for a terminal', () => {
  const shown: Uint8Array[] = [];
  const output = outputBytes(true, (chunk) => shown.push(chunk));
  output.write(Uint8Array.of(0x61, 0x9b, 0xc2));
  output.end();
  expect(Buffer.concat(shown).toString()).toBe('a\ufffd\ufffd');
  expect('a\ufffd').not.toMatch(CONTROL);
});

test('does not change bytes for a file or pipe', () => {
  const shown: Uint8Array[] = [];
  const chunk = Uint8Array.of(0x1b, 0x9b, 0xff);
  outputBytes(false, (bytes) => shown.push(bytes)).write(chunk);
  expect(shown).toEqual([chunk]);
});
