import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import { testEquivalence } from './equivalence.ts';
import type { ComparedCapture } from '#core/compare/measure-capture.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { profileFromSketch } from '../../support/sketch-profile.ts';
import { captureOf, compareRaw } from './captures.ts';

function capture(counts: Readonly<Record<string, number>>): ComparedCapture {
  const samples = Object.entries(counts).flatMap(([name, count]) =>
    Array.from({ length: count }, () => ({ stack: ['main', name], weight: 1 })),
  );
  return captureOf(profileFromSketch(samples), {}, 0 as ValueTypeIndex);
}

async function agreements(one: ComparedCapture, other: ComparedCapture) {
  const comparison = await compareRaw([one], [other], 'share');
  return Object.fromEntries(
    testEquivalence(comparison).map(({ func, column, agreement }) => [
      `${functionRef(comparison.matched.table, func).name} ${column}`,
      agreement,
    ]),
  );
}

describe('two tools on one program', () => {
  test('agree where they differ by less than 3 points, of what has 5 % or more', async () => {
    const found = await agreements(
      capture({ a: 4000, b: 1500, c: 4450, rare: 50 }),
      capture({ a: 3900, b: 1530, c: 4500, rare: 70 }),
    );
    expect(found).toEqual({
      'main total': 'agrees',
      'a self': 'agrees',
      'a total': 'agrees',
      'b self': 'agrees',
      'b total': 'agrees',
      'c self': 'agrees',
      'c total': 'agrees',
    });
  });

  test('differ by more, and few samples decide nothing', async () => {
    const far = await agreements(capture({ a: 5000, b: 5000 }), capture({ a: 4000, b: 6000 }));
    expect([far['a self'], far['b self']]).toEqual(['differs', 'differs']);
    const few = await agreements(capture({ a: 50, b: 50 }), capture({ a: 50, b: 50 }));
    expect([few['a self'], few['b self']]).toEqual(['undecided', 'undecided']);
  });

  test('are compared by shares', async () => {
    const comparison = await compareRaw([capture({ a: 1 })], [capture({ a: 1 })], 'raw');
    expect(() => testEquivalence(comparison)).toThrow(RangeError);
  });
});

/** What `sample-bt` printed: frames from the leaf up, then how often. */
function foldStap(text: string): string {
  const folded: string[] = [];
  let frames: string[] = [];
  for (const line of text.split('\n')) {
    const frame = /^ 0x[0-9a-f]+ : ([^+]+)\+/.exec(line);
    const count = /^\t(\d+)$/.exec(line);
    if (frame !== null) frames.unshift(frame[1]!);
    if (count !== null) {
      folded.push(`${frames.join(';')} ${count[1]}`);
      frames = [];
    }
  }
  return `${folded.join('\n')}\n`;
}

describe('perf and SystemTap on one run of a small program', () => {
  const folder = new URL('../../fixtures/two-tools/', import.meta.url);
  const encoded = (text: string) => new TextEncoder().encode(text);

  // 221 samples and 1,910: the intervals of the leaves are wider than the margin. perf unwound by frame pointers, which the leaves have
  // none of, so that it lacks their callers; stap unwound by DWARF.
  test('the leaves differ nowhere, their callers do', async () => {
    const perf = gunzipSync(readFileSync(new URL('perf.perf-script.txt.gz', folder)));
    const stap = encoded(foldStap(readFileSync(new URL('stap.sample-bt.txt', folder), 'utf8')));
    const found = await agreements(
      captureOf(await importProfile(byteSource(perf, 'perf.txt'))),
      captureOf(await importProfile(byteSource(stap, 'stap.folded'))),
    );
    expect(found).toMatchObject({
      'main total': 'agrees',
      'fb_handle_request total': 'agrees',
      'fb_leaf_sqrt self': 'undecided',
      'fb_leaf_hash self': 'undecided',
      'fb_mid_a total': 'differs',
    });
  });
});
