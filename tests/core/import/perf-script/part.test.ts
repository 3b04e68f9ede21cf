import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buffersOfPart } from '#core/import/perf-script/part.ts';
import { PerfScriptSession } from '#core/import/perf-script/session.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { writeNative } from '#core/model/native-file.ts';
import type { Profile } from '#core/model/profile.ts';
import { corpusRows, readCorpus } from '../../../support/corpus.ts';
import { corpus, needing } from '../../../support/needing.ts';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Places tried in a file of the corpus. */
const MAX_CUTS = 25;

/** After each blank line. */
function cutsOf(bytes: Uint8Array): number[] {
  const cuts: number[] = [];
  for (let at = bytes.indexOf(NEWLINE) + 1; at > 0; at = bytes.indexOf(NEWLINE, at) + 1) {
    const blank = bytes[at] === CARRIAGE_RETURN ? at + 1 : at;
    if (bytes[blank] === NEWLINE) cuts.push(blank + 1);
  }
  return cuts;
}

function native(make: () => Profile): Uint8Array | string {
  try {
    return Buffer.concat(writeNative(make()));
  } catch (error) {
    if (error instanceof ImportFailure) return `${error.message} ${JSON.stringify(error.location)}`;
    throw error;
  }
}

function readWhole(bytes: Uint8Array): Profile {
  const session = new PerfScriptSession();
  session.push(bytes);
  return session.finish();
}

/** As importProfile does it; `joined` tells whether the part was of use. */
function readSplit(bytes: Uint8Array, cut: number): { made: Uint8Array | string; joined: boolean } {
  const first = new PerfScriptSession();
  first.push(bytes.subarray(0, cut));
  const second = new PerfScriptSession({ isPart: true });
  second.push(bytes.subarray(cut));
  const part = second.finishPart();
  let joined = false;
  const made = native(() => {
    if (part !== null) {
      const moved = structuredClone(part, { transfer: buffersOfPart(part) });
      const profile = first.finishWith(moved);
      joined = true;
      if (profile !== null) return profile;
    }
    joined = false;
    first.push(bytes.subarray(cut));
    return first.finish();
  });
  return { made, joined };
}

/** The share of cuts at which the part could be joined, all being equal to reading the whole. */
function expectSame(bytes: Uint8Array, cuts: readonly number[]): number {
  const whole = native(() => readWhole(bytes));
  let joined = 0;
  for (const cut of cuts) {
    const split = readSplit(bytes, cut);
    expect(split.made, `cut at ${cut}`).toEqual(whole);
    if (split.joined) joined += 1;
  }
  return cuts.length === 0 ? 1 : joined / cuts.length;
}

const encode = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const expectSameText = (text: string): number => expectSame(encode(text), cutsOf(encode(text)));

describe('perf script in two parts', () => {
  const rows = corpusRows('perf-script');

  needing(corpus, () => {
    test.each(rows)('$path: at any blank line the same as in one', ({ path }) => {
      const bytes = path.endsWith('.gz') ? gunzipSync(readCorpus(path)) : readCorpus(path);
      const cuts = cutsOf(bytes);
      const step = Math.max(1, Math.floor(cuts.length / MAX_CUTS));
      const joined = expectSame(
        bytes,
        cuts.filter((_, index) => index % step === 0),
      );
      if (bytes.at(-1) === NEWLINE) expect(joined).toBe(1);
    });

    test('the whole corpus in one text', () => {
      const texts = rows.map(({ path }) => (path.endsWith('.gz') ? gunzipSync(readCorpus(path)) : readCorpus(path)));
      const ends = texts.map((_, index) => texts.slice(0, index + 1).reduce((sum, text) => sum + text.length + 2, 0));
      const bytes = Buffer.concat(texts.flatMap((text) => [text, Buffer.from('\n\n')]));
      expectSame(bytes, ends.slice(0, -1));
    });
  });

  test('any text', () => {
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 12 }), fc.boolean(), (parts, terminated) => {
        expectSameText(parts.join('') + (terminated ? '\n' : ''));
      }),
      { numRuns: 300 },
    );
  });

  const sample = (event: string, ...frames: string[]): string =>
    `${event}\n${frames.map((f) => `\t${f}\n`).join('')}\n`;
  const usual = sample('a 1/2 5.000100: 7 cycles: ', 'ff main+0x1 (/bin/a)', 'fe _start (/bin/a)');

  test('times before the first one, other events, other threads', () => {
    const early = sample('b 9/9 [003] 1.000000: 3 cache-misses: ', 'aa f (/bin/b)');
    expect(expectSameText(usual + early + usual + sample('b 9/10 4.5: 1 cycles:', 'aa f (/bin/b)'))).toBe(1);
  });

  test('what is counted once per name, and where it was first', () => {
    const odd = sample('th\xff 1/2 5.000100: 7 cycles: ', 'ff m\xe4in+0x1 (/bin/\xe4)');
    expect(expectSameText(`${usual}junk\n\n${odd}${usual}${odd}junk\n\nother junk\n\n${odd}`)).toBe(1);
  });

  test('headers further down', () => {
    const header = '# hostname : one\n# nrcpus online : 4\n\n';
    expect(expectSameText(`${usual}${header}${usual}${header.replace('one', 'two')}# arch : x86_64\n\n${usual}`)).toBe(
      1,
    );
  });

  test('inlined frames take the module that they took first', () => {
    const inlined = (module: string): string =>
      sample('a 1/2 5.1: 7 cycles: ', 'ff in (inlined)', `ff out (${module})`);
    expect(expectSameText(inlined('/bin/a') + usual + inlined('/bin/a'))).toBe(1);
    expect(expectSameText(inlined('/bin/a') + usual + inlined('/bin/b'))).toBeLessThan(1);
  });

  test('source lines, which depend on one another, are read in one', () => {
    const sourced = `a 1/2 5.1: 7 cycles: \n\tff f+0x1\n  a.c:7\n\tff g (/bin/a)\n  b.c:8\n\n`;
    expect(expectSameText(sourced + usual + sourced.replace('a.c', 'c.c'))).toBe(0);
  });

  test('more events than are told apart', () => {
    const many = Array.from({ length: 260 }, (_, event) => sample(`a 1/2 5.1: 7 event${event}: `, 'ff f (/bin/a)'));
    expectSame(
      encode(many.join('')),
      cutsOf(encode(many.join(''))).filter((_, index) => index % 40 === 0),
    );
  });

  test('the last line without its end', () => {
    expect(expectSameText(usual + usual + usual.trimEnd())).toBe(0);
    expectSameText(`${usual}${usual}a 1/2 5.000100: 7 cyc`);
  });
});

/** Pieces of text, sensible and not, that follow one another in any order. */
const blocks = fc.oneof(
  fc.constantFrom(
    '\n',
    '\n\n',
    '\r\n\r\n',
    '# hostname : a\n',
    '# arch : b\n',
    'junk\n',
    '  a.c:12\n',
    '  a.c:12 (inlined)\n',
    'PERF_RECORD_LOST lost 8\n',
    'a 1/2 1.5: PERF_RECORD_LOST lost 8\n',
    '\t    ff main+0x1 (/bin/a)\n',
    '\t    ff main+0x1\n',
    '\t    fe [unknown] ([unknown])\n',
    '\t    ff in (inlined)\n',
    '\t    ff La/B;::f->Lc/D;::g (/tmp/perf-1.map)\n',
    '\t    ff caf\xe9 (/bin/\xe9)\n',
  ),
  fc
    .record({
      comm: fc.constantFrom('a', 'b c', '\xe9'),
      thread: fc.constantFrom('1', '1/2', '1/3'),
      cpu: fc.constantFrom('', ' [001]'),
      time: fc.constantFrom('', ' 0.5:', ' 1.000001:', ' 99999999999999.5:'),
      event: fc.constantFrom('', ' cycles:', ' 7 cycles:', ' 9 cpu-clock:', ' 99999999999999999999 cycles:'),
      frames: fc.array(
        fc.constantFrom('ff main (/bin/a)', 'ff in (inlined)', 'fe g (/bin/a)', 'fe g (/bin/b)', 'fd h'),
        { maxLength: 3 },
      ),
      end: fc.constantFrom('\n', '\n\n', ''),
    })
    .map(
      ({ comm, thread, cpu, time, event, frames, end }) =>
        `${comm} ${thread}${cpu}${time}${event}\n${frames.map((frame) => `\t${frame}\n`).join('')}${end}`,
    ),
);
