import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteArgv } from '#core/contract/quote-argv.ts';

test.each([
  [['perf', 'record', '-o', '-', '--call-graph=fp'], 'perf record -o - --call-graph=fp'],
  [['a b'], `'a b'`],
  [['echo', ''], `echo ''`],
  [['echo', "it's"], `echo 'it'\\''s'`],
  [['echo', '$HOME', '`id`', '"'], `echo '$HOME' '\`id\`' '"'`],
  [['echo', '*', '~', '#', '!', '&'], `echo '*' '~' '#' '!' '&'`],
  [['echo', '-n', 'x=1'], 'echo -n x=1'],
  [['PATH=evil', 'x'], `'PATH=evil' x`],
  [['echo', 'two\nlines', 'a\tb'], `echo $'two\\nlines' $'a\\tb'`],
  [['echo', '\u001b[31m', "\r'\\"], `echo $'\\033[31m' $'\\r\\'\\\\'`],
  [['echo', 'right\u202eleft'], `echo $'right\\342\\200\\256left'`],
  [['echo', 'ü€'], `echo 'ü€'`],
])('%j reads %s', (argv, line) => {
  expect(quoteArgv(argv)).toBe(line);
});

test('is split into the same argv by bash', () => {
  const argument = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !value.includes('\0'));
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 5 }), (argv) => {
      const line = quoteArgv(['printf', '%s\\0', ...argv]);
      const printed = execFileSync('bash', ['--norc', '-c', line], { env: { LC_ALL: 'C.UTF-8' } });
      expect(printed.toString()).toBe(argv.map((value) => `${value}\0`).join(''));
    }),
    { numRuns: 60 },
  );
});
