import { treeSource } from '#core/analyze/graph/tree-source.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { CallNodeIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { createGraphSources, type GraphSubject } from '../../../renderer/analysis/profile/graph-sources.ts';
import type { GraphRef } from '../../../renderer/analysis/profile/graph-protocol.ts';
import { functionNamed, profileFromSketch, sketches } from '../../support/sketch-profile.ts';
import { patternsInPlace } from './patterns-in-place.ts';

const selection: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };
const IN_TIME: GraphRef = { kind: 'time-order', widths: 'time' };
const BY_WEIGHT: GraphRef = { kind: 'time-order', widths: 'weight' };
const window = { widthPx: 10_000, minWidthPx: 0.001, firstDepth: 0, depthCount: 50, maxFrames: 1e6 };

async function subjectOf(
  profile: Profile,
  chosen = selection,
  transforms: readonly NamedTransform[] = [],
): Promise<GraphSubject> {
  const resolved = await resolveTransforms(profile, transforms, patternsInPlace.ofTransforms);
  const view = buildStackView(profile, chosen, resolved);
  const tree = buildCallTree(view, 'top-down');
  return { profile, view, selection: chosen, resolved, tree, source: treeSource(view.profile, tree) };
}

const nodes = async (subject: GraphSubject, graph: GraphRef) => {
  const sources = createGraphSources();
  const { slice, func, functions } = await sources
    .source(subject, graph)
    .requestSlice({ root: 0 as CallNodeIndex, ...window });
  const frames = Array.from(slice.node.keys()).filter((row) => slice.node[row]! >= 0);
  return frames.map((row) => {
    const node = slice.node[row]! as CallNodeIndex;
    const { samples, weight } = sources.samples(subject, graph, node);
    return [functions.get(func[row]!)?.name ?? 'all', slice.start[row], slice.total[row], samples, weight];
  });
};

describe('in order of time', () => {
  const profile = profileFromSketch([
    { stack: ['a', 'b'], weight: 3, time: 0, tid: 1 },
    { stack: ['a', 'c'], weight: 5, time: 10, tid: 1 },
    { stack: ['a'], weight: 1, time: 10, tid: 2 },
    { stack: ['a', 'b'], weight: 7, time: 100, tid: 1 },
    { stack: ['a'], weight: 9, time: null, tid: 1 },
  ]);

  test('places frames at their time, with their samples and weight', async () => {
    const subject = await subjectOf(profile);
    const facts = createGraphSources().facts(subject, IN_TIME)!;
    expect(facts).toMatchObject({ maxDepth: 2, cutDepth: null });
    expect(facts.time).toMatchObject({ samples: 4, threads: 2, withoutTime: 1, withoutTimeWeight: 9 });
    expect(facts.time!.gaps).toBeGreaterThan(0);
    const drawn = await nodes(subject, IN_TIME);
    expect(drawn.map(([name, start, , samples, weight]) => [name, start, samples, weight])).toEqual([
      ['all', 0, 4, 16],
      ['a', 0, 3, 9],
      ['b', 0, 1, 3],
      // The sample at the same time as the next one has no width and is in a filler.
      ['a', 100, 1, 7],
      ['b', 100, 1, 7],
    ]);
  });

  test('places samples one after another by weight, and those without a timestamp last', async () => {
    const subject = await subjectOf(profile);
    const facts = createGraphSources().facts(subject, BY_WEIGHT)!;
    expect(facts).toMatchObject({ totalWeight: 25, maxDepth: 2 });
    expect(facts.time).toMatchObject({ samples: 4, withoutTime: 1, withoutTimeWeight: 9, gaps: 9 });
    expect(await nodes(subject, BY_WEIGHT)).toEqual([
      ['all', 0, 25, 4, null],
      ['a', 0, 16, 4, null],
      ['b', 0, 3, 1, null],
      ['c', 3, 5, 1, null],
      ['b', 9, 7, 1, null],
    ]);
  });

  test('converts a place by time to one by weight, and back', async () => {
    const subject = await subjectOf(profile);
    const sources = createGraphSources();
    const rowsOf = async (graph: GraphRef) =>
      sources.source(subject, graph).requestSlice({ root: 0 as CallNodeIndex, ...window });
    const nodeAt = async (graph: GraphRef, depth: number, nth: number) => {
      const { slice } = await rowsOf(graph);
      const rows = Array.from(slice.node.keys()).filter((row) => slice.node[row]! >= 0 && slice.depth[row] === depth);
      return slice.node[rows[nth]!]! as CallNodeIndex;
    };
    const byWeight = await nodeAt(BY_WEIGHT, 2, 2);
    const byTime = await nodeAt(IN_TIME, 2, 1);
    const ofWeight = sources.place(subject, BY_WEIGHT, byWeight);
    expect(ofWeight.span).toEqual({ start: 100, end: 101 });
    expect(sources.find(subject, IN_TIME, ofWeight)).toBe(byTime);
    expect(sources.find(subject, BY_WEIGHT, sources.place(subject, IN_TIME, byTime))).toBe(byWeight);
  });

  test('converts a position by weight to its sample’s moment, and a moment to the latest sample’s position', async () => {
    const subject = await subjectOf(profile);
    const sources = createGraphSources();
    const at = (graph: GraphRef, place: number) => sources.moment(subject, graph, { place })?.time ?? null;
    // Samples begin at 0, 3, 8 and 9; those without a timestamp begin at 16.
    expect([0, 2.9, 3, 8.5, 9, 15.9, 16, 24, -1, Number.NaN].map((place) => at(BY_WEIGHT, place))).toEqual([
      0,
      0,
      10,
      10,
      100,
      100,
      null,
      null,
      null,
      null,
    ]);
    const where = (graph: GraphRef, time: number) => sources.moment(subject, graph, { time })?.place ?? null;
    expect([0, 9, 10, 99, 100, 100.5, -1].map((time) => where(BY_WEIGHT, time))).toEqual([0, 0, 8, 8, 9, null, null]);
    expect([at(IN_TIME, 50), where(IN_TIME, 50), at(IN_TIME, -1)]).toEqual([50, 50, null]);
    const func = functionNamed(profile, 'b');
    expect(sources.moment(subject, { kind: 'callers', func }, { time: 0 })).toBeNull();
  });

  test('finds a frame in the call tree by its stack', async () => {
    const subject = await subjectOf(profile);
    const sources = createGraphSources();
    const { slice, func } = await sources
      .source(subject, IN_TIME)
      .requestSlice({ root: 0 as CallNodeIndex, ...window });
    for (let row = 0; row < slice.length; row++) {
      if (slice.node[row]! < 0) continue;
      const own = sources.ownNode(subject, IN_TIME, slice.node[row]! as CallNodeIndex)!;
      expect(subject.tree.func[own]).toBe(func[row]);
      expect(subject.tree.depth[own]).toBe(slice.depth[row]);
    }
  });

  test('finds a place again in another part of time, and under new names', async () => {
    const subject = await subjectOf(profile);
    const sources = createGraphSources();
    const { slice, functions, func } = await sources
      .source(subject, IN_TIME)
      .requestSlice({ root: 0 as CallNodeIndex, ...window });
    const later = slice.node.findLastIndex((node, row) => node >= 0 && functions.get(func[row]!)?.name === 'b');
    const place = sources.place(subject, IN_TIME, slice.node[later]! as CallNodeIndex);
    expect(place.path.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(place.span!.start).toBe(100);
    expect(sources.find(subject, IN_TIME, place)).toBe(slice.node[later]);

    const inRange = async (start: number, end: number, ...transforms: readonly NamedTransform[]) => {
      const other = await subjectOf(profile, { ...selection, timeRange: { start, end } }, transforms);
      return sources.place(other, IN_TIME, sources.find(other, IN_TIME, place));
    };
    expect(await inRange(50, 200)).toEqual({ ...place, span: { start: 100, end: expect.any(Number) } });
    // Before that, none of it shows: not the `b` of another time.
    expect((await inRange(0, 50)).path).toEqual([]);
    const rename: NamedTransform = {
      enabled: true,
      kind: 'rename',
      pattern: '^b$',
      ignoreCase: false,
      replacement: 'B',
    };
    expect((await inRange(0, 200, rename)).path.map(({ name }) => name)).toEqual(['a', 'B']);
  });

  test('has no graph without timestamps, and refuses requests about it', async () => {
    const without = profileFromSketch([{ stack: ['a'], weight: 1, time: null, tid: 1 }]);
    const subject = await subjectOf(without);
    const sources = createGraphSources();
    expect(sources.facts(subject, IN_TIME)).toBeNull();
    expect(() => sources.source(subject, IN_TIME)).toThrow('no sample in this profile has a timestamp');
  });

  test('counts each sample once, with its weight, for any samples', async () => {
    await fc.assert(
      fc.asyncProperty(sketches, async (samples) => {
        const made = profileFromSketch(samples.map((one, at) => ({ ...one, weight: one.weight + 1, time: at * 3 })));
        const subject = await subjectOf(made);
        const sources = createGraphSources();
        if (sources.facts(subject, IN_TIME) === null) return;
        expect(sources.samples(subject, IN_TIME, 0 as CallNodeIndex)).toEqual({
          samples: subject.view.sampleCount,
          weight: subject.view.total,
        });
      }),
    );
  });
});

test('keeps one sandwich half of each kind', async () => {
  const profile = profileFromSketch([
    { stack: ['main', 'f', 'g'], weight: 3, time: 0, tid: 1 },
    { stack: ['idle', 'f'], weight: 5, time: 1, tid: 1 },
    { stack: ['main'], weight: 7, time: 2, tid: 1 },
  ]);
  const subject = await subjectOf(profile);
  const func = functionNamed(profile, 'f');
  expect(await nodes(subject, { kind: 'callers', func })).toEqual([
    ['all', 0, 8, 2, null],
    ['f', 0, 8, 2, null],
    ['idle', 0, 5, 1, null],
    ['main', 5, 3, 1, null],
  ]);
  expect(await nodes(subject, { kind: 'callees', func })).toEqual([
    ['all', 0, 8, 2, null],
    ['f', 0, 8, 2, null],
    ['g', 0, 3, 1, null],
  ]);
  const sources = createGraphSources();
  expect(sources.facts(subject, { kind: 'callees', func: functionNamed(profile, 'g') })!.totalWeight).toBe(3);
  expect(sources.facts(subject, { kind: 'callees', func })!.totalWeight).toBe(8);
  expect(sources.ownNode(subject, { kind: 'callees', func }, 1 as CallNodeIndex)).toBeNull();
  const place = sources.place(subject, { kind: 'callers', func }, 3 as CallNodeIndex);
  expect(place).toMatchObject({ path: [{ name: 'f' }, { name: 'main' }], span: null });
  expect(sources.find(subject, { kind: 'callers', func }, place)).toBe(3);
  expect(sources.find(subject, { kind: 'callees', func }, place)).toBe(1);
});
