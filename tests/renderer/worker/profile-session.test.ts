import { describe, expect, it } from 'vitest';
import type { CallNodeIndex, FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Transform } from '#core/analyze/stack-view.ts';
import { matchFunctions, functionNames } from '#core/analyze/search.ts';
import { createProfileSession, describeProfile } from '../../../renderer/worker/profile-session.ts';
import type { Direction } from '../../../renderer/worker/protocol.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const everything = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };
const ask = (revision: number, transforms: readonly Transform[] = [], direction: Direction = 'top-down') => ({
  revision,
  selection: everything,
  transforms,
  direction,
});

function session(text: string) {
  const profile = profileFromText(text);
  const names = functionNames(profile);
  return { ...createProfileSession(profile), profile, func: (name: string) => names.indexOf(name) as FunctionIndex };
}

describe('createProfileSession', () => {
  it('describes an analysis', () => {
    const one = session('a;b 3\na;c 1\na 2');
    const analysis = one.analyze(ask(1));
    expect(analysis).toMatchObject({ revision: 1, total: 6, hidden: 0, maxDepth: 2 });
    const row = analysis.rows.func.indexOf(one.func('a'));
    expect([analysis.rows.self[row], analysis.rows.total[row]]).toEqual([2, 6]);
  });

  it('counts what transforms leave out', () => {
    const one = session('a;b 3\na;c 1');
    expect(one.analyze(ask(1, [{ kind: 'hide', func: one.func('c') }]))).toMatchObject({ total: 3, hidden: 1 });
  });

  it('answers the revision it was asked for last, and refuses others as stale', () => {
    const one = session('a;b 3');
    one.analyze(ask(1));
    one.analyze(ask(2, [], 'bottom-up'));
    expect(() => one.source(1)).toThrow(/changed/);
    expect(one.source(2).direction).toBe('bottom-up');
    expect(() => one.heaviest(1, one.func('a'))).toThrow(/changed/);
  });

  it('finds the heaviest row of a function', async () => {
    const one = session('a;x 1\nb;x 5\nc;x 2');
    one.analyze(ask(1));
    const node = one.heaviest(1, one.func('x'));
    const path = await one.source(1).requestPath(node as CallNodeIndex);
    expect(path.map((entry) => entry.facts?.name ?? 'all')).toEqual(['all', 'b', 'x']);
    expect(one.heaviest(1, 999 as FunctionIndex)).toBeNull();
  });

  it('weighs what matches once per stack', () => {
    const one = session('a;a;b 4\nc 6');
    one.analyze(ask(1));
    const matches = one.weigh(1, matchFunctions(functionNames(one.profile), '^a$'));
    expect(matches).toMatchObject({ functions: 1, weight: 4 });
  });

  it('lists callers and callees, heaviest first', () => {
    const one = session('a;x;y 1\nb;x;z 5\nx 2');
    one.analyze(ask(1));
    const { callers, callees } = one.neighbours(1, one.func('x'));
    expect(callers.map(({ func, weight }) => [func, weight])).toEqual([
      [one.func('b'), 5],
      [-1, 2],
      [one.func('a'), 1],
    ]);
    expect(callees.map(({ func }) => func)).toEqual([one.func('z'), one.func('y')]);
  });

  it('describes a profile without its samples', () => {
    const opened = describeProfile(session('a;b 3').profile);
    expect(opened.sampleCount).toBe(1);
    expect(opened.threads.map((thread) => thread.samples)).toEqual([1]);
    expect(opened.functions.length).toBe(2);
  });
});
