import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MarkedLines, MarkedStart } from '#collectors/target/ssh/marked-output.ts';

const MARK = 'aabab';

/** Cuts the text into pieces of these sizes in bytes. */
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
/** Text with many beginnings of a mark but no whole mark. */
const noise = fc
  .array(fc.constantFrom('a', 'b', ' ', '\n', 'ü'), { maxLength: 30 })
  .map((parts) => parts.join('').replaceAll(MARK, ''))
  .filter((text) => !text.includes(MARK));

describe('output with marks', () => {
  test('cuts off everything before the mark, for any chunks', () => {
    fc.assert(
      fc.property(noise, noise, sizes, (before, after, cuts) => {
        // The first mark counts, and it may begin within the text before it.
        const text = `${before}${MARK}\n${after}`;
        const expected = text.slice(text.indexOf(`${MARK}\n`) + MARK.length + 1);
        const start = new MarkedStart(MARK);
        expect(Buffer.concat(pieces(text, cuts).map((piece) => start.feed(piece))).toString()).toBe(expected);
      }),
    );
  });

  test('gives up after a megabyte without a start', () => {
    const start = new MarkedStart(MARK);
    expect(() => {
      for (let megabytes = 0; megabytes < 3; megabytes++) start.feed(Buffer.alloc(1 << 20, 0x61));
    }).toThrow(/does not end/);
  });

  test('ignores an endless marked line', () => {
    let passed = 0;
    const marked = new MarkedLines(
      MARK,
      () => {},
      (bytes) => (passed += bytes.length),
    );
    for (let part = 0; part < 100; part++) marked.feed(Buffer.from(`${MARK} ${'x'.repeat(1000)}`));
    expect(passed).toBeGreaterThan(50_000);
  });

  test('extracts marked lines in order, wherever they begin', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(noise, fc.constantFrom('pid 1', 'exit 0', 'ack')), { maxLength: 4 }),
        noise,
        sizes,
        (lines, rest, cuts) => {
          // A line whose end looks like the start of a mark would form a mark with what follows.
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
