import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { ExperimentState } from '#core/contract/experiment.ts';
import { reportLoadOf } from '#core/contract/report/load.ts';
import { SIDES } from '#core/contract/side.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { comparedPart, concludeLoad, NO_FUNCTIONS } from '#core/load/conclude.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { toProblem } from '../../../state/problem.ts';
import { openForReport } from '../../../state/reports/open-for-report.ts';
import { useWorkbench } from '../../../state/workbench-context.ts';
import { ProblemView } from '../../../ui/problem-view.tsx';
import type { Problem } from '../../../ui/problem.ts';
import { SweepsView } from '../sweeps-view.tsx';
import { useTests } from '../use-tests.ts';
import { MovedFunctions } from './moved-functions.tsx';
import { Button } from '../../../ui/buttons.tsx';
import { takeAnswer } from '../../../ui/take-answer.ts';

const text = createLoadText('en');

interface ResultProps {
  /** Of the library. */
  readonly id: string;
}

/** What an experiment came to: the effect at its knee, components, functions, series, and what was not tested. */
export function Result({ id }: ResultProps): ReactElement | null {
  const workbench = useWorkbench();
  const { engine, experiments } = workbench;
  const [state, setState] = useState<ExperimentState | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(
    () => takeAnswer(engine.call('experiment.get', { id }), setState, (error) => setProblem(toProblem(error))),
    [engine, id],
  );
  const loads = state?.experiment.loads;
  const { tests, problem: missing } = useTests(
    useMemo(() => (loads === undefined ? [] : [loads.before, loads.after]), [loads]),
  );
  const shown = useMemo(
    () =>
      [loads?.before, loads?.after].flatMap((one) => {
        const test = tests.get(one ?? '');
        return test === undefined ? [] : [{ sweep: sweepOfTest(test), runs: test.runs }];
      }),
    [loads, tests],
  );
  const reported = SIDES.flatMap((side) => {
    const test = tests.get(loads?.[side] ?? '');
    return test === undefined ? [] : [reportLoadOf(side, test)];
  });
  const [before, after] = shown;
  const [[headline, ...sentences], part] = useMemo(() => {
    if (before === undefined || after === undefined) return [[], ''];
    const comparison = compareSweeps(before.sweep, after.sweep);
    return [concludeLoad(comparison, text), comparedPart(comparison, { before: before.runs, after: after.runs })];
  }, [before, after]);
  if (problem !== null) return <ProblemView problem={problem} />;
  if (state === null) return null;
  const { experiment } = state;
  const isProfiled = experiment.before.captures.length > 0 && experiment.after.captures.length > 0;
  return (
    <section className="experiment-result" aria-label="Result">
      <div className="experiment-head">
        <div>
          {headline === undefined ? (
            <p className="dim">{missing === null ? 'Its load tests are not in the library.' : visibleText(missing)}</p>
          ) : (
            <p className="experiment-headline">{visibleText(headline)}</p>
          )}
          <ul className="experiment-sentences" aria-label="Findings">
            {sentences.map((line) => (
              <li key={line}>{visibleText(line)}</li>
            ))}
          </ul>
        </div>
        <div className="experiment-actions">
          {isProfiled && (
            <Button
              className="primary"
              onClick={() => {
                void experiments.open(id);
              }}
            >
              Compare functions
            </Button>
          )}
          {(isProfiled || reported.length === 2) && (
            <Button
              onClick={() => {
                if (isProfiled) void openForReport(workbench, id);
                else workbench.showDialog({ kind: 'report-load', loads: reported });
              }}
            >
              Report…
            </Button>
          )}
        </div>
      </div>
      {isProfiled ? <MovedFunctions id={id} part={part} /> : <p className="dim">{NO_FUNCTIONS}</p>}
      <SweepsView shown={shown} scale="log" />
    </section>
  );
}
