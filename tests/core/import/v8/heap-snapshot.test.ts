import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { dominators } from '#core/import/v8/dominators.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { foldedText } from '../../../support/folded-lines.ts';

checkImport({ path: 'heapsnapshot/small.heapsnapshot', format: 'heapsnapshot', isText: true });

const SMALL = join(import.meta.dirname, '../../../fixtures/import/heapsnapshot/small.heapsnapshot');
const read = (text: string | Uint8Array) => importProfile(byteSource(text, 'x.heapsnapshot'));

function retained({ profile, name }: { profile: Profile; name: string }): { self: number; total: number } {
  const stats = functionStats(buildStackView(profile));
  const row = stats.func.findIndex((func) => profile.strings[profile.functions.name[func]!] === name);
  return { self: stats.self[row]!, total: stats.total[row]! };
}

it('puts each object below the one that dominates it, so that totals are retained sizes', async () => {
  const profile = await read(readFileSync(SMALL));
  // The strings belong to the two Leaky alone, because the cache that also has one is only weakly reachable; the first
  // Leaky is also referred to by the second, so their array dominates both.
  expect(foldedText(profile)).toBe(`(GC roots);Function 64
(GC roots);Function;(compiled code) 100
Cache 32
Holder 24
Holder;(array) 48
Holder;(array);Leaky 80
Holder;(array);Leaky;(string) 32
`);
  expect(retained({ profile, name: 'Holder' })).toEqual({ self: 24, total: 184 });
});

/** Keeps 100 objects with 8,000 bytes each, and writes the snapshot of its own heap. */
const LEAKING = `class Leaky { data = new Float64Array(1000); }
globalThis.kept = Array.from({ length: 100 }, () => new Leaky());
require('node:v8').writeHeapSnapshot(process.argv[1]);`;

it('reads a snapshot of a Node process: constructors with their own and retained bytes', async () => {
  const file = join(tmpdir(), `flamebench-${process.pid}.heapsnapshot`);
  execFileSync(process.execPath, ['-e', LEAKING, file]);
  try {
    const bytes = await readFile(file);
    const profile = await read(bytes);
    const { nodes, snapshot } = JSON.parse(bytes.toString()) as {
      nodes: number[];
      snapshot: { meta: { node_fields: string[] } };
    };
    const width = snapshot.meta.node_fields.length;
    const size = snapshot.meta.node_fields.indexOf('self_size');
    const sum = nodes.reduce((all, cell, at) => (at % width === size ? all + cell : all), 0);
    expect(profile.samples.weights[0]!.reduce((all, one) => all + one, 0)).toBe(sum);
    expect(profile.samples.weights[1]!.reduce((all, one) => all + one, 0)).toBe(nodes.length / width - 1);
    expect(retained({ profile, name: 'Leaky' }).total).toBeGreaterThanOrEqual(100 * 8000);
  } finally {
    await rm(file);
  }
}, 60_000);

/** A node dominates another if that one can't be reached without it. */
function naive(first: Uint32Array, to: Uint32Array): number[] {
  const length = first.length - 1;
  const reachable = (without: number): boolean[] => {
    const seen = Array.from({ length }, () => false);
    const open = without === 0 ? [] : [0];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (seen[node] || node === without) continue;
      seen[node] = true;
      for (let at = first[node]!; at < first[node + 1]!; at++) open.push(to[at]!);
    }
    return seen;
  };
  const all = reachable(-1);
  const without = Array.from({ length }, (_, node) => reachable(node));
  const dominates = (one: number, other: number): boolean => one !== other && all[other]! && !without[one]![other]!;
  return Array.from({ length }, (_, node) => {
    const above = all[node] ? [...all.keys()].filter((one) => all[one] && dominates(one, node)) : [];
    return above.find((one) => above.every((other) => other === one || dominates(other, one))) ?? 0;
  });
}

/** A generator of Park and Miller: the same numbers in each run. */
function seeded(): () => number {
  let state = 54;
  return () => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

it('finds the dominators of any graph', () => {
  const random = seeded();
  for (let round = 0; round < 200; round++) {
    const length = 1 + Math.floor(random() * 12);
    const lists = Array.from({ length }, () =>
      Array.from({ length: Math.floor(random() * 4) }, () => Math.floor(random() * length)),
    );
    const first = Uint32Array.from([0, ...lists.map((_, node) => lists.slice(0, node + 1).flat().length)]);
    const to = Uint32Array.from(lists.flat());
    const { of, order } = dominators({ first, to });
    expect([...of]).toEqual(naive(first, to));
    const place = new Map([...order].map((node, at) => [node, at]));
    expect([...of].every((above, node) => node === 0 || place.get(above)! < place.get(node)!)).toBe(true);
  }
});

it('takes a chain of 200,000 objects', () => {
  const length = 200_000;
  const first = Uint32Array.from({ length: length + 1 }, (_, node) => Math.min(node, length - 1));
  const to = Uint32Array.from({ length: length - 1 }, (_, node) => node + 1);
  expect(dominators({ first, to }).of[length - 1]).toBe(length - 2);
});

it.each([
  [
    (text: string) => text.replace('"nodes":[9', '"nodes":[9,9'),
    'malformed',
    /nodes has 67 numbers, not 6 for each node/,
  ],
  [(text: string) => text.replace('"self_size"', '"size"'), 'unsupported', /nodes have no self_size/],
  [(text: string) => text.replace('"edges":[1,6,6', '"edges":[1,6,7'), 'malformed', /edge 0 points into a node/],
  [(text: string) => text.replace('"edges":[1,6,6', '"edges":[99,6,6'), 'malformed', /the type of edge 0 is 99/],
  [(text: string) => text.replace('"nodes":[9,0,1,0,2', '"nodes":[9,0,1,0,999'), 'malformed', /node 0 has 999 edges/],
  [(text: string) => text.replace('"nodes":[9,0,1,0', '"nodes":[9,0,1,-5'), 'malformed', /the size of node 0 is -5/],
])('refuses a damaged snapshot: %s', async (damage, failure, message) => {
  const text = damage(readFileSync(SMALL, 'utf8'));
  await expect(read(text)).rejects.toMatchObject({ failure, message: expect.stringMatching(message) });
});
