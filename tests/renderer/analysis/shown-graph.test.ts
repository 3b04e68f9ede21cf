import { expect, test } from 'vitest';
import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import { groupColour } from '#core/compare/delta-colour.ts';
import { VERDICTS } from '#core/compare/frame-delta.ts';
import { treeSource } from '#core/analyze/graph/tree-source.ts';
import { functionRef, type FunctionRef } from '#core/analyze/function-ref.ts';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import type { FunctionTarget, NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { CallNodeIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { USUAL_REDACTIONS } from '#core/redact/identities.ts';
import { createGraphSources } from '../../../renderer/analysis/profile/graph-sources.ts';
import { reportFile } from '../../../renderer/analysis/profile/report/make-report.ts';
import type { ShownGraph } from '../../../renderer/analysis/profile/report/report-protocol.ts';
import type { PinnedRows } from '../../../renderer/analysis/profile/pinned-protocol.ts';
import type { ShownSubject } from '../../../renderer/analysis/profile/report/shown-graph.ts';
import { NO_CHOICE } from '../../../renderer/state/reports/report-actions.ts';
import { byteSource } from '../../support/byte-source.ts';
import { readPerfScript } from '../../support/perf-script-text.ts';
import { functionNamed, profileFromSketch } from '../../support/sketch-profile.ts';
import { patternsInPlace } from './patterns-in-place.ts';

const profile = profileFromSketch([
  { stack: ['main', 'load', '/home/ada/parse'], weight: 1, time: 0, tid: 1 },
  { stack: ['main', '/home/ada/parse', 'copy'], weight: 2, time: 10, tid: 1 },
  { stack: ['main', 'load', '/home/ada/parse'], weight: 3, time: 20, tid: 1 },
]);
const selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };
const named = (name: string): FunctionRef => functionRef(profile, functionNamed(profile, name));

const LOOK: Omit<ShownGraph, 'graph'> = {
  revision: 1,
  orientation: 'icicle',
  colours: { mode: 'function', slots: new Map() },
  matches: null,
  search: '',
};

async function svgOf(
  shown: Partial<ShownGraph> & Pick<ShownGraph, 'graph'>,
  baseline: ShownSubject['baseline'] = null,
): Promise<string> {
  const resolved = await resolveTransforms(profile, [], patternsInPlace.ofTransforms);
  const view = buildStackView(profile, selection, resolved);
  const tree = buildCallTree(view, 'top-down');
  const analysis = { profile, view, selection, resolved, tree, source: treeSource(view.profile, tree) };
  const choice = {
    ...NO_CHOICE,
    title: 'run',
    redactions: USUAL_REDACTIONS,
    captures: [{ name: 'run', facts: null, held: null }],
  };
  const file = await reportFile(
    { captures: [{ profile, selection, transforms: [], resolved: null, quality: null }], comparison: null },
    { choice, format: 'svg', scale: 1, table: null, viewer: null, shown: { ...LOOK, ...shown } },
    patternsInPlace.ofPreviews,
    { sources: createGraphSources(), analysis, baseline },
  );
  return file.text();
}

/** Returns the names of the frames by their rows, top to bottom, each from left to right. */
function rowsOf(svg: string): string[][] {
  const frames = [...svg.matchAll(/<title>(\S+) \([^<]*<\/title>\s*<rect x="([\d.]+)" y="([\d.]+)"/g)];
  const tops = [...new Set(frames.map(([, , , top]) => Number(top)))].sort((a, b) => a - b);
  return tops.map((top) =>
    frames
      .filter((frame) => Number(frame[3]) === top)
      .sort((a, b) => Number(a[2]) - Number(b[2]))
      .map((frame) => frame[1]!),
  );
}

test('a sandwich shows callers above and callees below, without identities, and is not read as stacks', async () => {
  const svg = await svgOf({
    graph: { kind: 'sandwich', centre: named('/home/ada/parse'), callers: null, callees: null },
  });
  const [outer, inner, centre, callees] = rowsOf(svg);
  expect(new Set(outer)).toEqual(new Set(['main']));
  expect(new Set(inner)).toEqual(new Set(['load', 'main']));
  expect(centre).toHaveLength(1);
  expect(callees).toEqual(['copy']);
  expect(svg).toMatch(/callers above and callees below \S+parse: 6\b.*\(100.0 % of all\)/);
  expect(svg).not.toContain('ada');
  expect(svg).not.toContain('<script');
  await expect(importProfile(byteSource(svg))).rejects.toMatchObject({ failure: 'unsupported' });
});

test('each half of a sandwich keeps its zoom, which its caption names', async () => {
  const path = [named('/home/ada/parse'), named('load')];
  const svg = await svgOf({
    graph: { kind: 'sandwich', centre: named('/home/ada/parse'), callers: { path, span: null }, callees: null },
  });
  expect(rowsOf(svg).map((row) => row.length)).toEqual([1, 1, 1, 1]);
  expect(svg).toContain('Callers zoomed to load.');
});

test('time order shows a function once for each time that it ran', async () => {
  const svg = await svgOf({ graph: { kind: 'time-order', widths: 'time', at: null } });
  expect(rowsOf(svg)[2]).toHaveLength(3);
  expect(svg).toContain('in time order over 30 ns, each sample as wide as the time until the next one.');
  expect(svg).toContain('nanoseconds');
  const byWeight = await svgOf({ graph: { kind: 'time-order', widths: 'weight', at: null } });
  expect(byWeight).toContain('each sample as wide as its weight.');
});

test('the call tree keeps its zoom; frames that the search does not match are dimmed', async () => {
  const plain = await svgOf({ graph: { kind: 'own', node: 1 as CallNodeIndex } });
  expect(plain).toContain('Zoomed to main: 100.0 % of all.');
  const matches = new Uint8Array(profile.functions.length);
  matches[functionNamed(profile, 'copy')] = 1;
  const searched = await svgOf({ graph: { kind: 'own', node: 0 as CallNodeIndex }, matches, search: 'cop' });
  const fill = (svg: string, name: string): string => new RegExp(`<title>${name} [^]*?fill="(#\\w+)"`).exec(svg)![1]!;
  expect(fill(searched, 'copy')).toBe(fill(plain, 'copy'));
  expect(fill(searched, 'main')).not.toBe(fill(plain, 'main'));
  expect(searched).toContain('Search: cop.');
});

test('the call tree of a live view has the colours of its changes since the baseline, which the words state', async () => {
  const deltaOf = (node: number): FrameDelta => ({
    before: node < 2 ? 6 : 1,
    after: 6,
    selfBefore: 0,
    selfAfter: 0,
    verdict: VERDICTS.indexOf(node < 2 ? 'noise' : 'grew'),
  });
  const rows = { formula: 'value = weight ÷ seconds' } as PinnedRows;
  const svg = await svgOf({ graph: { kind: 'own', node: 0 as CallNodeIndex } }, { deltaOf, rows });
  const fills = [...svg.matchAll(/<title>(\w+) [^]*?fill="(#\w+)"/g)].map(([, name, fill]) => [name, fill]);
  expect(new Map(fills as [string, string][]).get('main')).toBe(groupColour('grey', 0, 'light'));
  expect(new Map(fills as [string, string][]).get('copy')).toBe(groupColour('grew', 3, 'light'));
  expect(svg).toContain('Compared with the baseline: value = weight ÷ seconds.');
  expect(svg).toContain('Orange-red grew');
});

test('a sandwich without a function says what to do', async () => {
  const graph = { kind: 'sandwich', centre: null, callers: null, callees: null } as const;
  await expect(svgOf({ graph })).rejects.toMatchObject({ code: 'no-graph', remedy: /Select a function/ });
});

test('Markdown of a focused view states the quality of the whole capture', async () => {
  const frames = ['leaf', 'caller', 'main'].map((name, at) => `\t 55a0${at} ${name}+0x1 (/srv/app)\n`).join('');
  const recorded = readPerfScript(`app 12/34 10.000001: 1000000 cpu-clock: \n${frames}\n`);
  const own = { valueType: recorded.metadata.defaultValueType, threads: null, timeRange: null };
  const on: FunctionTarget = { by: 'pattern', pattern: 'caller', ignoreCase: false };
  const transforms: NamedTransform[] = [{ kind: 'focus', enabled: true, on }];
  const choice = { ...NO_CHOICE, title: 'run', captures: [{ name: 'run', facts: null, held: null }] };
  const file = await reportFile(
    { captures: [{ profile: recorded, selection: own, transforms, resolved: null, quality: null }], comparison: null },
    { choice, format: 'md', scale: 1, table: null, viewer: null, shown: null },
    patternsInPlace.ofPreviews,
  );
  const text = await file.text();
  expect(text).toContain('`caller`');
  expect(text).toContain('quality good');
});
