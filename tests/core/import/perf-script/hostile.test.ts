import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HEAD_BYTES, makeHead } from '#core/import/detect.ts';
import { perfScriptImporter } from '#core/import/perf-script/perf-script.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { namesRootFirst } from '../../../support/profile-rollup.ts';
import { diagnosticOf, foldedLinesOf, readPerfScript } from '../../../support/perf-script-text.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A text with every element of the format once. */
const FULL = `# cmdline : perf record -F 99
FS Broker 5906  10/11 [001]  1.000500:    2000 cycles:u:
	ffffffff8103d0ca native_write_msr+0x1 ([kernel.kallsyms])
	    7f02 (anonymous namespace)::f(int)+0x2 (/srv/My App (x86)/app (deleted))
  a.c:12
	    7f05 inner+0x2 (inlined)
	    7f05 La/B;::f->Lc/D;::g (/tmp/perf-12.map)
	    7f06 [unknown] ([unknown])

swapper     0 [000]  1.000600: PERF_RECORD_LOST lost 8
work 12 [000]  1.000700: sched:sched_switch: prev=a b: 2

   single 13     1.000800:  7 cycles:u:      7f01 leaf+0x1 (/bin/a)
work 14 cycles:
	    7f02 main

what is this
`;

/** Returns the failure, or null if the text is read. Only a text without an event may be refused. */
function failureOf(bytes: Uint8Array): string | null {
  try {
    readPerfScript(bytes);
    return null;
  } catch (error) {
    expect(error).toMatchObject({ failure: 'malformed', message: 'no line is a perf script event' });
    return (error as ImportFailure).message;
  }
}

describe('truncated, split and damaged input', () => {
  test('truncated at every byte: never fails from the first stack on, and never has extra samples', () => {
    const bytes = encode(FULL);
    const whole = new Set(foldedLinesOf(readPerfScript(bytes)).map((line) => line.split(';')[0]!.split(' ')[0]));
    const firstStack = FULL.indexOf('\t');
    for (let end = 0; end <= bytes.length; end++) {
      const cut = bytes.slice(0, end);
      if (end < firstStack && failureOf(cut) !== null) continue;
      const profile = readPerfScript(cut);
      expect(profile.samples.length).toBeLessThanOrEqual(4);
      for (const line of foldedLinesOf(profile)) expect(whole).toContain(line.split(';')[0]!.split(' ')[0]);
    }
  });

  test('leaves out and counts a truncated line', () => {
    const profile = readPerfScript('a 1 1.000000: 5 cycles:\n\t 1 f (/bin/a)\n\t 2 main (/bin');
    expect(foldedLinesOf(profile)).toEqual(['a;f 5']);
    expect(diagnosticOf(profile, 'truncated-input')).toMatchObject({ count: 1, first: { line: 3 } });
  });

  test('does not mistake a truncated event name for a new event', () => {
    const text = 'a 1 1.000000: 5 cycles:u:\n\t 1 f (/bin/a)\n\na 1 1.000001: 5 cycles:';
    expect(readPerfScript(text).events).toEqual(['cycles:u']);
    expect(readPerfScript(`${text}u:`).samples.length).toBe(2);
  });

  test('may lack its beginning', () => {
    const profile = readPerfScript('f (/bin/a)\n\t 2 main (/bin/a)\n\na 1 1.000000: 5 cycles:\n\t 1 f (/bin/a)\n\n');
    expect(foldedLinesOf(profile)).toEqual(['a;f 5']);
    expect(diagnosticOf(profile, 'skipped-line')).toMatchObject({ count: 2, first: { line: 1 } });
  });

  test('split at every byte: gives the same profile', () => {
    const bytes = encode(FULL);
    const whole = readPerfScript(bytes);
    for (let chunkBytes = 1; chunkBytes < 80; chunkBytes++) expect(readPerfScript(bytes, chunkBytes)).toEqual(whole);
  });

  test('with CRLF: gives the same profile', () => {
    expect(readPerfScript(FULL.replaceAll('\n', '\r\n'))).toEqual(readPerfScript(FULL));
  });

  test('may have a byte order mark', () => {
    expect(readPerfScript(`\uFEFF${FULL}`)).toEqual(readPerfScript(FULL));
  });

  test('any byte changed: never fails', () => {
    const bytes = encode(FULL);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const changed = bytes.slice();
        changed[at] = value;
        readPerfScript(changed);
      }),
      { numRuns: 500 },
    );
  });

  test('lines in any order: are read, or refused if none of them is an event', () => {
    const lines = FULL.split('\n');
    const isTimedEvent = (line: string): boolean => / \d+\.\d+: /.test(line);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 30 }), (chosen) => {
        if (failureOf(encode(chosen.join('\n'))) !== null) expect(chosen.some(isTimedEvent)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('whole lines of noise: never fail', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        const joined = new Uint8Array(noise.length + 40);
        joined.set(encode('a 1 1.000000: 5 cycles:\n\t 1 f (/bin/a)\n'));
        joined.set(noise, 40);
        readPerfScript(joined);
      }),
      { numRuns: 500 },
    );
  });
});

describe('names', () => {
  test('may have Latin-1, NUL and control bytes', () => {
    const text = 'a\0b 1 1.000000: 5 cycles:\n\t 1 gr\xf6\xdfe\0\x07 (/bin/\xe4)\n\n';
    const profile = readPerfScript(Uint8Array.from(text, (character) => character.charCodeAt(0)));
    expect(foldedLinesOf(profile)).toEqual(['a\0b;größe\0\x07 5']);
    expect(diagnosticOf(profile, 'not-utf8')).toMatchObject({ severity: 'info', count: 2 });
  });

  test('may have bytes that look equal as floats: NUL against 0x80, NaN', () => {
    const frames = [
      '\0\0\0\0\0\0\0\0',
      '\0\0\0\0\0\0\0\x80',
      '\xff\xff\xff\xff\xff\xff\xff\x7f',
      '\xff\xff\xff\xff\xff\xff\xff\xff',
    ];
    const text = [...frames, ...frames].map((name) => `a 1 1.000000: 1 c:\n\t   1 ${name} (m)\n\n`).join('');
    const profile = readPerfScript(Uint8Array.from(text, (character) => character.charCodeAt(0)));
    expect(profile.functions.length).toBe(4);
    expect(foldedLinesOf(profile).every((line) => line.endsWith(' 2'))).toBe(true);
  });

  test('may have a megabyte', () => {
    const name = 'x'.repeat(1_000_000);
    const text = `a 1 1.000000: 5 cycles:\n\t 1 ${name}1 (/bin/a)\n\t 2 ${name}2 (/bin/a)\n\n`;
    const profile = readPerfScript(text + text, 2 ** 16);
    expect(namesRootFirst(profile, profile.samples.stack[1]!)).toEqual([`${name}2`, `${name}1`]);
    expect(foldedLinesOf(profile)).toEqual([`a;${name}2;${name}1 10`]);
  });

  test('must not be endless', () => {
    const session = perfScriptImporter.start();
    const chunk = new Uint8Array(2 ** 24).fill(120);
    const push = (): void => {
      for (let index = 0; index < 16; index++) session.push(chunk);
    };
    expect(push).toThrow(ImportFailure);
  });
});

// These inputs took minutes when each word of a line scanned the line again.
describe('long lines take time in proportion', () => {
  const MEGABYTE = 2 ** 20;
  const repeated = (text: string, end = ''): string => text.repeat(MEGABYTE / text.length) + end;

  test.each([
    ['numbers', repeated('1 ', ')')],
    ['times', repeated('a 1 1.000000: ', ')')],
    ['addresses', repeated('ab 1 [001] ', '(x)')],
    ['parentheses', `\t 1 ${repeated('(', ')')}`],
    ['a blank comment', `# a : b${repeated(' ', 'c')}`],
    ['a comment of words', `# ${repeated('a ', ': b')}`],
    ['source lines', `  ${repeated('1:', 'x')}`],
    ['a chain', `\t 1 a::b${repeated('->c')} (/tmp/perf-1.map)`],
    ['a mangled name', `\t 1 _Z${repeated('St')} (/bin/a)`],
  ])('%s', (_, line) => {
    const text = `a 1 1.000000: 5 cycles:\n\t 1 f (/bin/a)\n${line}\n\n${line}\n`;
    expect(readPerfScript(text).samples.length).toBeGreaterThan(0);
  });

  test('handles a stack of 50,000 different inlined frames', () => {
    const frames = Array.from({ length: 50_000 }, (_, index) => `\t ${index.toString(16)} f${index} (inlined)\n`);
    const profile = readPerfScript(`a 1 1.000000: 5 cycles:\n${frames.join('')}\t 1 main (/bin/a)\n\n`);
    expect(profile.functions.length).toBe(50_001);
    expect([...new Set(profile.functions.module)]).toHaveLength(1);
  });
});

test('handles a stack of 100,000 frames', () => {
  const frames = Array.from({ length: 100_000 }, (_, index) => `\t ${index.toString(16)} f${index % 1000} (/bin/a)\n`);
  const profile = readPerfScript(`a 1 1.000000: 5 cycles:\n${frames.join('')}\n`);
  expect(profile.stacks.length).toBe(100_000);
  expect(foldedLinesOf(profile)[0]!.split(';')).toHaveLength(100_001);
});

describe('sniffing', () => {
  const sniff = (text: string, complete = true): string =>
    perfScriptImporter.sniff(makeHead(encode(text).subarray(0, HEAD_BYTES), complete));

  test.each([
    FULL,
    'a 1 1.000000: 5 cycles:\n',
    'a 1 cycles:\n\t 1 f (/bin/a)\n',
    '\n\n   single 13     1.000800:  7 cycles:u:      7f01 leaf+0x1 (/bin/a)\n',
    `# ========\n# captured on    : Fri Nov 20 16:58:27 2026\n${'# x\n'.repeat(20_000)}`,
    '# captured on: x\r\n#\r\na 1 1.000000: cycles:\r\n',
  ])('yes: %#', (text) => {
    expect(sniff(text)).toBe('yes');
    expect(sniff(`\uFEFF${text}`)).toBe('yes');
  });

  test('maybe: the beginning of the first sample is missing', () => {
    expect(sniff('\t 2 main (/bin/a)\n\na 1 1.000000: 5 cycles:\n\t 1 f (/bin/a)\n')).toBe('maybe');
  });

  test.each([
    '',
    '\n',
    'main;f;g 12\n',
    'a 1 1.000000: 5;b 3\n',
    'Running 30s test @ http://127.0.0.1:8080/index.html\n  2 threads and 100 connections\n',
    "# Samples: 1K of event 'cycles'\n    50.00%  a  [.] main\n",
    'Chapter 12 begins:\nIt was night.\n',
    'java 19983 cycles:\nnot a frame\n',
    'bash-1234  [000]  1234.567890: sched_switch: prev_comm=bash\n',
    '{"a": 1}',
    '\0\0\0\0',
    '# just a comment\n',
    'x'.repeat(100_000),
  ])('no: %#', (text) => {
    expect(sniff(text)).toBe('no');
  });
});
