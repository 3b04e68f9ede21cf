import { useMemo, type ReactElement } from 'react';
import { sweepOf } from '#core/load/sweep.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import { useCompareState } from '../../state/compare/context.ts';
import type { CompareSide } from '../../state/compare/compare.types.ts';
import { useWorkbenchState } from '../../state/workbench-context.ts';
import { useTests } from './use-tests.ts';
import { SweepsView, type ShownSweep } from './sweeps-view.tsx';

/** The load tests during which a comparison's captures were recorded: their charts, steps, and the server's vitals. */
export function LoadPage(): ReactElement {
  const ids = useSideTests();
  const [before = '', after = ''] = ids.map((side) => side.join(' '));
  const { tests, problem } = useTests(useMemo(() => [...new Set(`${before} ${after}`.split(' '))], [before, after]));
  const shown = useMemo(() => {
    const sides = (before === after ? [before] : [before, after]).map((side) => side.split(' '));
    return sides.flatMap((side): ShownSweep[] => shownOf(side.flatMap((id) => tests.get(id) ?? [])));
  }, [before, after, tests]);
  if (before === '' && after === '') {
    return <p className="panel-hint">These captures were not recorded during a load test of Flamebench.</p>;
  }
  return (
    <div className="details load-page">
      {problem !== null && <p className="panel-hint">{visibleText(problem)}</p>}
      <SweepsView shown={shown} scale="log" />
    </div>
  );
}

/** Returns the IDs of both sides' tests. */
function useSideTests(): readonly [readonly string[], readonly string[]] {
  const captures = useWorkbenchState((state) => state.captures);
  const before = useCompareState((state) => state.before);
  const after = useCompareState((state) => state.after);
  return useMemo(() => {
    const loads = new Map((captures ?? []).map(({ id, load }) => [id, load?.test ?? null]));
    const testsOf = (side: CompareSide): string[] => [
      ...new Set(
        side.captures.flatMap(({ origin }) => (origin.kind === 'capture' ? (loads.get(origin.id) ?? []) : [])),
      ),
    ];
    return [testsOf(before), testsOf(after)];
  }, [captures, before, after]);
}

/** Combines several tests of a side into one sweep. */
function shownOf(tests: readonly LoadTest[]): ShownSweep[] {
  const [first, ...others] = tests;
  if (first === undefined) return [];
  const runs = tests.flatMap((test) => test.runs);
  if (others.length === 0) return [{ sweep: sweepOfTest(first), runs }];
  const results = tests.flatMap((test) => sweepOfTest(test).steps.flatMap((step) => step.runs));
  return [{ sweep: sweepOf(tests.map(({ name }) => name).join(', '), results), runs }];
}
