import { describe, expect, it } from 'vitest';
import type { CallNodeIndex, FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { functionNames } from '#core/analyze/search.ts';
import { describeProfile } from '../../../renderer/analysis/profile/describe-profile.ts';
import { joinFunctions } from '../../../renderer/state/profile/join-functions.ts';
import { profileHandlers } from '../../../renderer/analysis/profile/handlers.ts';
import { createKeptViews } from '../../../renderer/analysis/profile/analyses.ts';
import { createProfileSession } from '../../../renderer/analysis/profile/session.ts';
import type { AnalyzeParams, TreeChoice } from '../../../renderer/analysis/profile/protocol.ts';
import { patternsInPlace } from './patterns-in-place.ts';
import { profileFromSketch } from '../../support/sketch-profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const everything = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };
const ask = (
  revision: number,
  transforms: readonly NamedTransform[] = [],
  kind: TreeChoice['kind'] = 'top-down',
): AnalyzeParams => ({ view: 0, revision, selection: everything, transforms, tree: { kind }, zoom: [], picked: null });

function session(text: string) {
  const profile = profileFromText(text);
  const names = functionNames(profile);
  const func = (name: string) => names.indexOf(name) as FunctionIndex;
  const on = (name: string) => ({ by: 'function', func: functionRef(profile, func(name)) }) as const;
  const made = createProfileSession(profile, patternsInPlace);
  return { ...made, asked: profileHandlers(() => made), func, on };
}

describe('createProfileSession', () => {
  it('describes an analysis', async () => {
    const one = session('a;b 3\na;c 1\na 2');
    const analysis = await one.analyze(ask(1));
    expect(analysis).toMatchObject({ revision: 1, total: 6, absolute: 6, hidden: 0, maxDepth: 2 });
    const row = analysis.rows.func.indexOf(one.func('a'));
    expect([analysis.rows.self[row], analysis.rows.total[row]]).toEqual([2, 6]);
  });

  it('keeps the open rows of the call tree in the next snapshot of a live profile', async () => {
    const kept = createKeptViews();
    const order = { by: 'name', descending: false } as const;
    const openRows = async (text: string, revision: number, opens: boolean): Promise<number> => {
      const made = createProfileSession(profileFromText(text), patternsInPlace, undefined, kept);
      const asked = profileHandlers(() => made);
      await made.analyze(ask(revision));
      if (opens) await asked['tree-step']({ revision, step: { kind: 'open-below', node: 0 }, order });
      return (await asked['tree-rows']({ revision, first: 0, count: 10, order })).rowCount;
    };
    expect(await openRows('a;b;c 3', 1, true)).toBe(4);
    expect(await openRows('a;b;c 3\na;d;e 1', 2, false)).toBe(5);
  });

  it('counts what transforms hide', async () => {
    const one = session('a;b 3\na;c 1');
    const transforms: NamedTransform[] = [
      { enabled: false, kind: 'hide', on: one.on('b') },
      { enabled: true, kind: 'hide', on: one.on('c') },
    ];
    expect(await one.analyze(ask(1, transforms))).toMatchObject({
      total: 3,
      hidden: 1,
      hiddenBy: [0, 1],
      found: [null, 1],
      made: null,
    });
  });

  it('names the value types with weight if the view has none, in its time range and with its transforms', async () => {
    const profile = profileFromSketch([
      { stack: ['a'], weight: 5, event: 'cycles', time: 1 },
      { stack: ['b'], weight: 7, event: 'faults', time: 5 },
    ]);
    const { analyze } = createProfileSession(profile, patternsInPlace);
    const of = async (valueType: number, end: number, transforms: readonly NamedTransform[] = []) => {
      const selection = { ...everything, valueType: valueType as ValueTypeIndex, timeRange: { start: 0, end } };
      return (await analyze({ ...ask(valueType, transforms), selection })).otherTypes;
    };
    expect(await of(3, 9)).toEqual([]);
    expect(await of(3, 3)).toEqual([0, 1, 2]);
    const hideA = { enabled: true, kind: 'hide', on: { by: 'function', func: { name: 'a', module: '', file: '' } } };
    expect(await of(2, 9, [hideA as NamedTransform])).toEqual([0, 1, 3]);
    expect(await of(2, 3, [hideA as NamedTransform])).toEqual([]);
  });

  it('sorts siblings by weight on request, and back', async () => {
    const one = session('a;b 1\na;c 3');
    const trees = [
      { kind: 'top-down' },
      { kind: 'top-down', siblings: 'weight' },
      { kind: 'bottom-up', siblings: 'weight' },
      { kind: 'sandwich', siblings: 'weight' },
      { kind: 'top-down', siblings: 'weight' },
      { kind: 'top-down', siblings: 'name' },
    ] as const;
    const firstRows: string[] = [];
    for (const [revision, tree] of trees.entries()) {
      await one.analyze({ ...ask(revision), tree });
      const rows = one.at(revision).tree;
      const leaf = rows.direction === 'top-down' ? 2 : 1;
      firstRows.push(`${rows.direction} ${functionNames(one.profile)[rows.func[leaf]!]}`);
      expect(rows.total[0]).toBe(4);
    }
    expect(firstRows).toEqual(['top-down b', 'top-down c', 'bottom-up c', 'top-down b', 'top-down c', 'top-down b']);
  });

  it('answers the latest revision, and refuses others as stale', async () => {
    const one = session('a;b 3');
    await one.analyze(ask(1));
    await one.analyze(ask(2, [], 'bottom-up'));
    expect(() => one.at(1).source).toThrow(/changed/);
    expect(one.at(2).source.direction).toBe('bottom-up');
    expect(() => one.asked.heaviest({ revision: 1, func: one.func('a') })).toThrow(/changed/);
  });

  it('finds the heaviest row of a function', async () => {
    const one = session('a;x 1\nb;x 5\nc;x 2');
    await one.analyze(ask(1));
    const node = await one.asked.heaviest({ revision: 1, func: one.func('x') });
    const path = await one.at(1).source.requestPath(node as CallNodeIndex);
    expect(path.map((entry) => entry.facts?.name ?? 'all')).toEqual(['all', 'b', 'x']);
    expect(one.asked.heaviest({ revision: 1, func: 999 as FunctionIndex })).toBeNull();
  });

  it('weighs matches once per stack', async () => {
    const one = session('a;a;b 4\nc 6');
    await one.analyze(ask(1));
    const matches = await one.asked.search({ revision: 1, pattern: '^a$' });
    expect(matches).toMatchObject({ functions: 1, weight: 4 });
  });

  it('names and finds the functions that transforms create', async () => {
    const one = session('a;x1 4\na;x2 6');
    const rename: NamedTransform = {
      enabled: true,
      kind: 'rename',
      pattern: '^x\\d$',
      ignoreCase: false,
      replacement: 'made',
    };
    const answer = await one.analyze(ask(1, [rename]));
    const { rows } = answer;
    expect(answer.made).toMatchObject({ length: 1, strings: ['made'] });
    const functions = joinFunctions(describeProfile(one.profile).functions, answer.made!);
    const made = functions.length - 1;
    expect(functions.strings[functions.name[made]!]).toBe('made');
    expect(rows.func).toContain(made);
    const matches = await one.asked.search({ revision: 1, pattern: 'made' });
    expect(matches).toMatchObject({ functions: 1, weight: 10 });
    expect(matches.flags[made]).toBe(1);
  });

  it('keeps the analyses of several views separate', async () => {
    const one = session('a;b 3\na;c 1');
    await one.analyze(ask(1));
    await one.analyze({ ...ask(2, [{ enabled: true, kind: 'hide', on: one.on('b') }]), view: 7 });
    expect(one.at(1).source.totalWeight).toBe(4);
    expect(one.at(2).source.totalWeight).toBe(1);
    one.closeView(7);
    expect(() => one.at(2).source).toThrow(/changed/);
    expect(one.at(1).source.totalWeight).toBe(4);
  });

  it('cancels an analysis that is withdrawn or whose view is closed, and keeps the previous one', async () => {
    const rests: (() => void)[] = [];
    const profile = profileFromText('a;b 3\na;c 1');
    const one = createProfileSession(profile, patternsInPlace, () => new Promise((resolve) => rests.push(resolve)));
    const finish = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn++) {
        rests.shift()?.();
        await Promise.resolve();
      }
    };
    const first = one.analyze(ask(1));
    await finish();
    await first;
    const withdrawn = one.analyze(ask(2, [], 'bottom-up'));
    one.withdraw(2);
    await finish();
    await expect(withdrawn).rejects.toMatchObject({ code: 'withdrawn' });
    expect(one.at(1).source.totalWeight).toBe(4);
    const closed = one.analyze(ask(3));
    one.closeView(0);
    await finish();
    await expect(closed).rejects.toMatchObject({ code: 'withdrawn' });
    expect(() => one.at(3).source).toThrow(/changed/);
  });

  it('lists callers and callees, heaviest first', async () => {
    const one = session('a;x;y 1\nb;x;z 5\nx 2');
    await one.analyze(ask(1));
    const { callers, callees } = one.neighbours(1, one.func('x'));
    expect(callers.map(({ func, weight }) => [func, weight])).toEqual([
      [one.func('b'), 5],
      [-1, 2],
      [one.func('a'), 1],
    ]);
    expect(callees.map(({ func }) => func)).toEqual([one.func('z'), one.func('y')]);
  });

  it('breaks a view down by labels, without what transforms hide', async () => {
    const profile = profileFromText('a;b 3\na;c 1');
    const labelSets = [[{ key: 'endpoint', text: '/b' }], [{ key: 'endpoint', text: '/c' }]];
    const samples = { ...profile.samples, labelSet: Int32Array.of(0, 1), labelSets };
    const one = createProfileSession({ ...profile, samples }, patternsInPlace);
    await one.analyze(ask(1));
    const values = [
      { text: '/b', weight: 3, numbers: null },
      { text: '/c', weight: 1, numbers: null },
    ];
    expect(one.labels(1)).toEqual([{ key: 'endpoint', unit: '', total: 4, values }]);
    const on = { by: 'pattern', pattern: '^c$', ignoreCase: false } as const;
    await one.analyze(ask(2, [{ enabled: true, kind: 'hide', on }]));
    expect(one.labels(2)).toEqual([{ key: 'endpoint', unit: '', total: 3, values: values.slice(0, 1) }]);
  });

  it('describes a profile without its samples', () => {
    const opened = describeProfile(session('a;b 3').profile);
    expect(opened.sampleCount).toBe(3);
    expect(opened.threads.map((thread) => thread.samples)).toEqual([3]);
    expect(opened.functions.length).toBe(2);
  });
});
