import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MarkedLines, MarkedStart } from '#collectors/target/ssh/marked-output.ts';

const MARK = 'aabab';

/** The bytes in pieces of the given sizes. */
function pieces(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...parts, bytes.subarray(at)];
}

const sizes = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 20 });
/** Much that looks like the beginning of a mark, never a whole one. */
const noise = fc
  .array(fc.constantFrom('a', 'b', ' ', '\n', 'ü'), { maxLength: 30 })
  .map((parts) => parts.join('').replaceAll(MARK, ''))
  .filter((text) => !text.includes(MARK));

describe('output with marks', () => {
  test('what comes before the mark is cut off, however it is cut into chunks', () => {
    fc.assert(
      fc.property(noise, noise, sizes, (before, after, cuts) => {
        // The first mark counts: it may begin in what comes before.
        const text = `${before}${MARK}\n${after}`;
        const expected = text.slice(text.indexOf(`${MARK}\n`) + MARK.length + 1);
        const start = new MarkedStart(MARK);
        expect(Buffer.concat(pieces(text, cuts).map((piece) => start.feed(piece))).toString()).toBe(expected);
      }),
    );
  });

  test('a start that never comes is given up after a megabyte', () => {
    const start = new MarkedStart(MARK);
    expect(() => {
      for (let megabytes = 0; megabytes < 3; megabytes++) start.feed(Buffer.alloc(1 << 20, 0x61));
    }).toThrow(/does not end/);
  });

  test('a marked line without end is no line of ours', () => {
    let passed = 0;
    const marked = new MarkedLines(
      MARK,
      () => {},
      (bytes) => (passed += bytes.length),
    );
    for (let part = 0; part < 100; part++) marked.feed(Buffer.from(`${MARK} ${'x'.repeat(1000)}`));
    expect(passed).toBeGreaterThan(50_000);
  });

  test('marked lines are taken out in order, wherever they begin', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(noise, fc.constantFrom('pid 1', 'exit 0', 'ack')), { maxLength: 4 }),
        noise,
        sizes,
        (lines, rest, cuts) => {
          // An end like the beginning of a mark would make one with it.
          fc.pre(lines.every(([text]) => !`${text}${MARK}`.slice(0, -1).includes(MARK)));
          const seen: string[] = [];
          const passed: Buffer[] = [];
          const marked = new MarkedLines(
            MARK,
            (line) => seen.push(line),
            (bytes) => passed.push(bytes),
          );
          const text = lines.map(([before, line]) => `${before}${MARK} ${line}\n`).join('') + rest;
          for (const piece of pieces(text, cuts)) marked.feed(piece);
          marked.end();
          expect(seen).toEqual(lines.map(([, line]) => line));
          expect(Buffer.concat(passed).toString()).toBe(lines.map(([before]) => before).join('') + rest);
        },
      ),
    );
  });
});
