import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import { testEquivalence } from './equivalence.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from '#core/compare/match/match-rules.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
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

async function agreements(some: readonly ComparedCapture[], others: readonly ComparedCapture[], rules?: MatchRules) {
  const comparison = await compareRaw(some, others, 'share', rules);
  return Object.fromEntries(
    testEquivalence(comparison).map(({ func, column, agreement }) => [
      `${functionRef(comparison.matched.table, func).name} ${column}`,
      agreement,
    ]),
  );
}

describe('two tools on one program', () => {
  test('agree if they differ by less than 3 points in functions with at least 5 %', async () => {
    const found = await agreements(
      [capture({ a: 4000, b: 1500, c: 4450, rare: 50 })],
      [capture({ a: 3900, b: 1530, c: 4500, rare: 70 })],
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

  test('differ by more, and are undecided with few samples', async () => {
    const far = await agreements([capture({ a: 5000, b: 5000 })], [capture({ a: 4000, b: 6000 })]);
    expect([far['a self'], far['b self']]).toEqual(['differs', 'differs']);
    const few = await agreements([capture({ a: 50, b: 50 })], [capture({ a: 50, b: 50 })]);
    expect([few['a self'], few['b self']]).toEqual(['undecided', 'undecided']);
  });

  test('are compared by shares', async () => {
    const comparison = await compareRaw([capture({ a: 1 })], [capture({ a: 1 })], 'raw');
    expect(() => testEquivalence(comparison)).toThrow(RangeError);
  });
});

/** Folds the output of `sample-bt`: the frames leaf first, then their count. */
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

describe('perf and SystemTap on one program', () => {
  const folder = new URL('../../fixtures/two-tools/', import.meta.url);
  const read = (name: string): Buffer => readFileSync(new URL(name, folder));
  const runs = [1, 2, 3];
  let perf: ComparedCapture[] = [];
  let stap: ComparedCapture[] = [];
  beforeAll(async () => {
    const capture = async (bytes: Uint8Array | string, name: string) =>
      captureOf(await importProfile(byteSource(bytes, name)));
    perf = await Promise.all(
      runs.map((run) => capture(gunzipSync(read(`perf-${run}.perf-script.txt.gz`)), `perf-${run}.txt`)),
    );
    stap = await Promise.all(
      runs.map((run) => capture(foldStap(read(`stap-${run}.sample-bt.txt`).toString('utf8')), `stap-${run}.folded`)),
    );
  });

  // Two versions of one symbol; each tool prints another one.
  const rules: MatchRules = {
    ...DEFAULT_MATCH_RULES,
    user: [{ pattern: '@+GLIBC_[0-9.]+', ignoreCase: false, replacement: '' }],
  };
  const functions = [
    ...['fb_leaf_hash', 'fb_leaf_sqrt'].map((name) => `${name} self`),
    ...['_start', '__libc_start_main', '__libc_start_call_main', 'main', 'fb_handle_request'].map(
      (name) => `${name} total`,
    ),
    ...['fb_mid_a', 'fb_mid_b', 'fb_leaf_hash', 'fb_leaf_sqrt'].map((name) => `${name} total`),
  ];
  const allAgree = Object.fromEntries(functions.map((name) => [name, 'agrees']));

  test.each([0, 1, 2])('agrees within 3 points for every function over 5 %% in run %d', async (run) => {
    expect(await agreements([perf[run]!], [stap[run]!], rules)).toEqual(allAgree);
  });

  test('agrees over all runs', async () => {
    expect(await agreements(perf, stap, rules)).toEqual(allAgree);
  });
});
