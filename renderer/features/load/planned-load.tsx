import { useState, type FormEvent, type ReactElement, type ReactNode } from 'react';
import type { LoadAnswer } from '#core/contract/load/methods.ts';
import type { LoadPlan } from '#core/contract/load/load-test.ts';
import { MAX_SOURCES, parseLoadSeries } from '#core/contract/load/series.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import { toProblem } from '../../state/problem.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { LinesField } from '../../ui/fields/labelled-fields.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import { callLoad } from './call-load.ts';
import { Button } from '../../ui/buttons.tsx';

/** Returns the machines that can send requests. */
export function useLoadHosts(): { readonly value: string; readonly label: string }[] {
  const targets = useWorkbenchState((state) => state.targets);
  return [
    { value: LOCAL_TARGET, label: 'this machine' },
    ...(targets?.targets ?? [])
      .filter(({ id }) => id !== LOCAL_TARGET)
      .map(({ id, name }) => ({ value: id, label: visibleText(name) })),
  ];
}

/** What will run, once the user confirms it. */
export interface LoadPlanning {
  readonly planned: LoadAnswer<'plan'> | null;
  readonly problem: Problem | null;
  /** Wraps a setter: each change discards the plan, so that only what is shown can run. */
  readonly change: <T>(set: (value: T) => void) => (value: T) => void;
  readonly submit: (event: FormEvent) => void;
}

/** Plans at the first submit, and starts what was planned at the second. */
export function useLoadPlanning(
  plan: () => Promise<LoadAnswer<'plan'>>,
  onStarted: (id: string) => void,
): LoadPlanning {
  const { engine } = useWorkbench();
  const [planned, setPlanned] = useState<LoadAnswer<'plan'> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const fail = (error: unknown): void => {
    setPlanned(null);
    setProblem(toProblem(error));
  };
  return {
    planned,
    problem,
    change: (set) => (value) => {
      set(value);
      setPlanned(null);
      setProblem(null);
    },
    submit(event) {
      event.preventDefault();
      if (planned === null) plan().then(setPlanned, fail);
      else callLoad(engine, 'start', { confirmation: planned.confirmation }).then(({ id }) => onStarted(id), fail);
    },
  };
}

interface PlannedFormProps {
  readonly planning: LoadPlanning;
  readonly isValid: boolean;
  /** Text of the button that starts. */
  readonly start: string;
  readonly children: ReactNode;
}

/** A form whose first submit shows the total load and the commands, and whose second starts them. */
export function PlannedForm({
  planning: { planned, problem, submit },
  isValid,
  start,
  children,
}: PlannedFormProps): ReactElement {
  return (
    <form className="sweep-form" onSubmit={submit}>
      {children}
      {problem !== null && <ProblemView problem={problem} />}
      {planned !== null && (
        <div className="sweep-plan" role="status">
          {planned.total.split('\n').map((line) => (
            <p key={line}>{visibleText(line)}</p>
          ))}
          {planned.leftOut !== null && <p>{visibleText(planned.leftOut)}</p>}
          <pre className="mono">{planned.commands.map((argv) => visibleText(quoteArgv(argv))).join('\n')}</pre>
        </div>
      )}
      <div className="dialog-actions">
        <Button type="submit" className="primary" disabled={!isValid}>
          {planned === null ? 'Show the total load' : start}
        </Button>
      </div>
    </form>
  );
}

/** Returns the lines of a text that are not empty. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A field for series beside the vitals. */
export const SeriesField = (field: {
  readonly value: string;
  readonly onChange: (typed: string) => void;
}): ReactElement => (
  <LinesField
    label="Other series, one source per line"
    placeholder="http://host:9100/metrics, statsd:8125, node:4711, probe:10 or /path/of/a.csv"
    rows={2}
    {...field}
  />
);

/** Returns the plan's part about typed series; null if a line is not a source, or there are too many. */
export function seriesOf(typed: string): Pick<LoadPlan, 'series'> | null {
  const lines = linesOf(typed);
  const series = lines.flatMap((line) => parseLoadSeries(line) ?? []);
  if (series.length < lines.length || series.length > MAX_SOURCES) return null;
  return series.length === 0 ? {} : { series };
}
