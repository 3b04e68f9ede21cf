import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWholeSamples } from '#collectors/perf/whole-samples.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (chunk: Uint8Array): string => new TextDecoder().decode(chunk);

describe('whole samples', () => {
  test('hold back everything after the last empty line', () => {
    const samples = createWholeSamples();
    expect(text(samples.push(bytes('a 1:\n\tf\n')))).toBe('');
    expect(text(samples.push(bytes('\nb 2:\n\tg\n\nc 3:\n\th')))).toBe('a 1:\n\tf\n\nb 2:\n\tg\n\n');
    expect(text(samples.rest())).toBe('c 3:\n\th');
  });

  test('are passed on in order up to the same place, for any chunks', () => {
    const lines = fc.array(fc.constantFrom('a 1:', '\tf', '', '# c'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(8)), (rows, sizes) => {
        const input = rows.map((row) => `${row}\n`).join('');
        const samples = createWholeSamples();
        let at = 0;
        let whole = '';
        for (const size of [...sizes, input.length]) {
          whole += text(samples.push(bytes(input.slice(at, at + size))));
          at += size;
        }
        expect(whole + text(samples.rest())).toBe(input);
        const last = input.lastIndexOf('\n\n');
        expect(whole).toBe(last < 0 ? '' : input.slice(0, last + 2));
      }),
    );
  });
});
