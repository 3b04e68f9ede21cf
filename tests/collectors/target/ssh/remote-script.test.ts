import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeLine, REMOTE_COMMAND } from '#collectors/target/ssh/remote-script.ts';

describe('the command that hosts run', () => {
  test('is read alike by every login shell', () => {
    const [, quoted = ''] = /^exec \/bin\/sh -c '(.*)'$/.exec(REMOTE_COMMAND) ?? [];
    expect(quoted).not.toBe('');
    expect(quoted).not.toMatch(/['\\!\n`]/);
  });

  test('transfers lines unchanged, whatever they contain', () => {
    const texts = fc.array(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      { minLength: 1, maxLength: 40 },
    );
    // One shell runs all cases, because starting a shell is slow.
    fc.assert(
      fc.property(texts, (lines) => {
        const script = `while IFS= read -r l; do v=$(printf '%b.' "$l"); printf '%s\\000' "\${v%.}"; done`;
        const { stdout } = spawnSync('/bin/sh', ['-c', script], { input: lines.map(encodeLine).join('') });
        expect(stdout.toString('utf8')).toBe(lines.map((line) => `${Buffer.from(line).toString()}\0`).join(''));
      }),
      { numRuns: 20 },
    );
  });

  test('refuses a NUL', () => {
    expect(() => encodeLine('a\0b')).toThrow(RangeError);
  });
});
