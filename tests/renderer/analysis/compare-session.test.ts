import { describe, expect, it } from 'vitest';
import { topMovers } from '#core/compare/top-movers.ts';
import { DEFAULT_MATCH_RULES } from '#core/compare/match/match-rules.ts';
import type { FactsDocument } from '#core/compare/measure/read-facts.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { judgementAt } from '#core/compare/judged-rows.ts';
import { auditComparison, compareAuditFailures } from '../../../renderer/analysis/comparison/audit.ts';
import type { CompareParams } from '../../../renderer/analysis/comparison/methods.ts';
import type { Compared, SideChoice } from '../../../renderer/analysis/comparison/protocol.ts';
import { pathDetail, previewBoth } from '../../../renderer/analysis/comparison/requests.ts';
import { compareHandlers } from '../../../renderer/analysis/comparison/handlers.ts';
import { createCompareSession, type CompareSession } from '../../../renderer/analysis/comparison/session.ts';
import { heaviestRow } from '../../../renderer/analysis/tree-places.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { patternsInPlace } from './patterns-in-place.ts';

const tenSeconds: FactsDocument = { target: null, rateHz: null, durationMs: 10_000, cpuSeconds: null };

const everything: SideChoice = { valueType: null, threads: null, timeRange: null };

/** Opens captures of folded text, and returns the numbers that the session gave them. */
function opened(before: readonly string[], after: readonly string[], document: FactsDocument | null = null) {
  const steps: string[] = [];
  const session = createCompareSession(patternsInPlace, (step) => steps.push(step));
  const add = (text: string, place: number) => session.add(profileFromText(text), document, `capture ${place}`).capture;
  const captures = { before: before.map(add), after: after.map(add) };
  const side = (numbers: readonly number[]) => ({
    ...everything,
    captures: numbers.map((capture) => ({ capture, requests: null })),
  });
  const ask = (revision: number, change: Partial<CompareParams> = {}): CompareParams => ({
    revision,
    before: side(captures.before),
    after: side(captures.after),
    normalisation: 'raw',
    rules: DEFAULT_MATCH_RULES,
    transforms: [],
    zoom: [],
    picked: null,
    ...change,
  });
  return { session, captures, ask, steps };
}

const named = ({ functions: { strings, name } }: Compared, wanted: string): FunctionIndex =>
  name.findIndex((text) => strings[text] === wanted) as FunctionIndex;

const heaviestIn = (session: CompareSession, revision: number, func: FunctionIndex) =>
  heaviestRow(session.at(revision).trees.width('union').tree, func);

describe('createCompareSession', () => {
  it('compares both sides, function by function and path by path', async () => {
    const { session, ask, steps } = opened(['a;b 30\na;c 10\n'], ['a;b 10\na;c 10\na;d 20\n']);
    const compared = await session.analyze(ask(1));
    expect([...new Set(steps)]).toEqual(['measure', 'match', 'test', 'tree', 'paths']);
    expect([compared.before.total, compared.after.total, compared.tree.totals.union]).toEqual([40, 40, 60]);
    const b = judgementAt(compared.self, named(compared, 'b'));
    expect(b).toMatchObject({ before: 30, after: 10, delta: -20, verdict: 'suggestive', presence: 'both' });
    expect(judgementAt(compared.total, named(compared, 'd'))).toMatchObject({ relative: null, presence: 'only-after' });
    expect(compared.onlyAfter).toEqual([named(compared, 'd')]);
    expect(compared.isReplicated).toBe(false);
    const node = heaviestIn(session, 1, named(compared, 'b'))!;
    expect(pathDetail(session.at(1), { node, root: 0 as CallNodeIndex })).toMatchObject({
      depth: 2,
      judgement: { before: 30, after: 10 },
    });
    expect(pathDetail(session.at(1), { node: 0 as CallNodeIndex, root: 0 as CallNodeIndex }).judgement).toEqual(
      compared.whole,
    );
    expect(topMovers(session.at(1).comparison, session.at(1).trees.tree, 5).movers.map(({ func }) => func)).toContain(
      named(compared, 'b'),
    );
  });

  it('negates every delta if the sides are swapped', async () => {
    const { session, captures, ask } = opened(['a;b 30\na;c 10\n'], ['a;b 10\na;d 20\n']);
    const compared = await session.analyze(ask(1));
    const params = ask(2);
    const swapped = await session.analyze({ ...params, before: params.after, after: params.before });
    expect(swapped.before.captures[0]!.capture).toBe(captures.after[0]);
    for (const name of ['a', 'b', 'c', 'd']) {
      const [one, other] = [compared, swapped].map((rows) => rows.total.delta[named(rows, name)]!);
      expect(other! + one!).toBe(0);
    }
  });

  it('uses the size factors that a report states of all captures, which may hold only a part of them', async () => {
    const { session, ask } = opened(['a;b 30\n'], ['a;b 15\n'], tenSeconds);
    const params = ask(1, { normalisation: 'per-second' });
    const stated = (size: number, { captures, ...side }: CompareParams['before']) => ({
      ...side,
      captures: captures.map((capture) => ({ ...capture, size })),
    });
    const [before, after] = [stated(0, params.before), stated(Math.log(0.5), params.after)];
    expect((await session.analyze({ ...params, before })).sizes?.status).toBe('unknown');
    const { sizes } = await session.analyze({ ...params, before, after });
    expect(sizes?.ratio).toBeCloseTo(0.5, 6);
  });

  it('keeps the numbers of all parts consistent, also with transforms', async () => {
    const { session, ask } = opened(['a;b 30\na;c 10\n', 'a;b 28\na 3\n'], ['a;b 10\na;d 20\n']);
    const hide = { enabled: true, kind: 'hide', on: { by: 'pattern', pattern: '^c$', ignoreCase: false } } as const;
    for (const [revision, transforms] of [[], [hide]].entries()) {
      const { found, before } = await session.analyze(ask(revision, { transforms }));
      expect(compareAuditFailures(auditComparison(session.at(revision)))).toEqual([]);
      expect(found).toEqual(transforms.length === 0 ? [] : [1]);
      expect(before.captures.map(({ hidden }) => hidden)).toEqual(transforms.length === 0 ? [0, 0] : [10, 0]);
    }
  });

  it('reports contradictory numbers', () => {
    const side = { graph: 5, table: 5, withoutStack: 0, captures: 5 };
    const audit = { before: side, after: { ...side, graph: 6 }, selfDelta: 1, totalDelta: 0 };
    expect(compareAuditFailures(audit)).toEqual([
      'the graph of after sums to 6, its captures to 5',
      "self deltas sum to 1, the whole's delta is 0",
    ]);
  });

  it('weighs a search’s matches on either side, counting each stack once', async () => {
    const { session, ask } = opened(['a;b;b 30\na;c 10\n'], ['a;b 10\na;d 20\n']);
    await session.analyze(ask(1));
    expect(await compareHandlers(session).search({ revision: 1, pattern: '^b$' })).toMatchObject({
      functions: 1,
      before: 30,
      after: 10,
    });
  });

  it('restores zoom and selection in another comparison', async () => {
    const { session, ask } = opened(['a;b 30\na;c 10\n'], ['a;b 10\n']);
    const ref = (name: string) => ({ name, module: '', file: '', line: 0 });
    await session.analyze(ask(1));
    const again = await session.analyze(
      ask(2, { normalisation: 'share', zoom: [ref('a'), ref('b')], picked: { func: ref('c'), path: null } }),
    );
    expect(again.zoomNode).toBe(heaviestIn(session, 2, named(again, 'b')));
    expect(again.picked).toEqual({ func: named(again, 'c'), node: null });
  });

  it('says which normalisations are refused and why', async () => {
    const { session, ask } = opened(['a 30\n'], ['a 10\n']);
    const { normalisations } = await session.analyze(ask(1));
    const refused = normalisations.filter(({ refusal }) => refusal !== null).map(({ kind }) => kind);
    expect(refused).toEqual(['per-second', 'per-cpu-second', 'per-request']);
    const params = ask(2, { normalisation: 'per-request' });
    await expect(session.analyze(params)).rejects.toThrow("per-request can't be computed for capture 0");
    const requests = (side: CompareParams['before']) => ({
      ...side,
      captures: side.captures.map((capture) => ({ ...capture, requests: 10 })),
    });
    const asked = { ...params, revision: 3, before: requests(params.before), after: requests(params.after) };
    expect((await session.analyze(asked)).before.total).toBe(3);
  });

  it('cancels a withdrawn comparison, and keeps the previous one', async () => {
    const { session, ask } = opened(['a 30\n'], ['a 10\n']);
    await session.analyze(ask(1));
    const running = session.analyze(ask(2));
    session.withdraw(2);
    await expect(running).rejects.toMatchObject({ code: 'withdrawn' });
    expect(auditComparison(session.at(1)).totalDelta).toBe(-20);
    expect(() => session.at(2)).toThrow('the comparison has changed');
  });
});

describe('the effect of a transform on both sides', () => {
  const preview = async (pattern: string) => {
    const { session, ask } = opened(
      ['main;work 60\nmain;idle 40\n'],
      ['main;work 30\nmain;rest 40\n', 'main;work 20\n'],
    );
    await session.analyze(ask(1));
    const transform = { enabled: true, kind: 'hide', on: { by: 'pattern', pattern, ignoreCase: false } } as const;
    return previewBoth(session.at(1).captures, { before: [], transform }, patternsInPlace.ofTransforms);
  };

  it('is summed over all captures', async () => {
    expect(await preview('^work$')).toMatchObject({ found: 3, weight: 110, total: 190, hides: 110, missing: null });
  });

  it('names the side that alone has no match', async () => {
    expect(await preview('idle')).toMatchObject({ found: 1, hides: 40, missing: 'after' });
    expect(await preview('rest')).toMatchObject({ found: 1, missing: 'before' });
    expect(await preview('nothing')).toMatchObject({ found: 0, hides: 0, missing: null });
  });
});
