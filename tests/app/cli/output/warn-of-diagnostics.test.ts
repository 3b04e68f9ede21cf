import { afterEach, expect, test, vi } from 'vitest';
import { setManner } from '#app/cli/output/terminal.ts';
import { recurrences, warnOfCaptures } from '#app/cli/output/warn-of-diagnostics.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';

const diagnostic = (code: string, message: string): Diagnostic => ({
  code,
  severity: 'warning',
  message,
  count: 1,
  first: null,
  remedy: null,
});
const CAPTURES = [
  { name: 'one', diagnostics: [diagnostic('skipped', 'Skipped 3 lines.')] },
  { name: 'two', diagnostics: [diagnostic('skipped', 'Skipped 5 lines.'), diagnostic('lost', 'Lost 2 samples.')] },
  { name: 'three', diagnostics: [diagnostic('skipped', 'Skipped 1 line.'), diagnostic('skipped', 'Skipped a word.')] },
];

function warned(): string[] {
  const lines: string[] = [];
  const written = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text).trim());
    return true;
  });
  warnOfCaptures(CAPTURES);
  written.mockRestore();
  return lines;
}

afterEach(() => setManner({ quiet: false, verbose: false, colour: 'auto' }));

test('what several captures have is said once, with their number', () => {
  expect(warned()).toEqual([
    'flamebench: one and 2 more: warning: Skipped 3 lines [skipped]',
    'flamebench: two: warning: Lost 2 samples [lost]',
  ]);
});

test('-v says everything', () => {
  setManner({ quiet: false, verbose: true, colour: 'auto' });
  expect(warned()).toHaveLength(5);
});

test('a capture that has it twice counts once', () => {
  const othersWith = recurrences(CAPTURES);
  expect(othersWith(0, CAPTURES[0]!.diagnostics[0]!)).toBe(2);
  expect(othersWith(2, CAPTURES[2]!.diagnostics[1]!)).toBeNull();
});
