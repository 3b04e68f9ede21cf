import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RECEIPT_CODES, receiptLines, receiptOf } from '#core/model/receipt.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';

const read = (text: string) => importProfile(byteSource(new TextEncoder().encode(text), 'x.folded'));

test('counts what a profile holds and what its importer left out', async () => {
  expect(receiptOf(await read('main;a 3\nmain;b 2\nmain;a 5\nnoise\nmore noise\n'))).toEqual({
    events: 0,
    samples: 10,
    rows: 3,
    stacks: 2,
    withoutStack: 0,
    functions: 3,
    threads: 1,
    weights: [{ type: 'samples', unit: 'count', total: 10 }],
    exceptions: [
      {
        effect: 'skipped',
        code: 'skipped-line',
        message: 'Lines that are not "stack count" were skipped.',
        count: 2,
      },
    ],
  });
});

test('says in one line that nothing was left out', async () => {
  expect(receiptLines(receiptOf(await read('main;a 1\n')))).toEqual([
    'Read: 1 sample, 1 stack, 2 functions, 1 thread.',
    'Weights: samples 1.',
    'Nothing was skipped, merged, lost or changed.',
  ]);
});

test('names the first of many value types without weight in one entry', async () => {
  const receipt = receiptOf(await read('main;a 1\n'));
  const weights = Array.from({ length: 254 }, (_, index) => ({ type: `e${index}`, unit: 'count', total: 0 }));
  const line = (...totals: number[]): string =>
    receiptLines({ ...receipt, weights: weights.map((row, index) => ({ ...row, total: totals[index] ?? 0 })) })[1];
  expect(line(0, 7)).toBe('Weights: e1 7, 0 in 253 value types (e0, e2, e3, …).');
  expect(line(1, 1, 1, 1, 1, 1, 1)).toBe(
    'Weights: e0 1, e1 1, e2 1, e3 1, e4 1, e5 1, and 1 value type more, 0 in 247 value types (e7, e8, e9, …).',
  );
});

/** Codes that report how the recording was made or how to read it, but nothing that differs from the file. */
const WITHOUT_EFFECT = new Set([
  'calls-claim-more',
  'drop-frames-ignored',
  'dtrace-error',
  'excess-calls',
  'inconsistent-total',
  'inlined-functions',
  'late-records',
  'negative-weights',
  'newer-format',
  'no-samples',
  'perf-warning',
  'read-by-perf',
  'samples-without-stack',
  'source-maps',
  'stackless-block',
  'stap-error',
  'stap-warning',
  'total-differs',
  'totals-differ',
  'unfollowed-calls',
  'unresolved-frames',
]);

test('every diagnostic of an importer has its place in the receipt, or is known to have none', () => {
  const root = join(import.meta.dirname, '../../../core/import');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const unplaced = new Set<string>();
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    for (const [, call = '', field = ''] of source.matchAll(
      /\b(?:add|atLine|#?note)\(\s*'([a-z]+(?:-[a-z]+)*)',|\bcode: '([a-z-]+)'/g,
    )) {
      const code = call || field;
      if (!RECEIPT_CODES.has(code) && !WITHOUT_EFFECT.has(code)) unplaced.add(code);
    }
  }
  expect([...unplaced]).toEqual([]);
});
