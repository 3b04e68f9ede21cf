import { useCallback, useMemo, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { sweepNotes } from '#core/load/describe-load.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepCharts, type ChartOptions, type ChartSide } from '#core/load/sweep-charts.ts';
import type { LoadSweep } from '#core/load/sweep.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { describeLocation, toProblem } from '../../state/problem.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { count } from '../../ui/format.ts';
import { Select } from '../../ui/fields/select.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import { ChartView } from './chart-view.tsx';
import { SweepForm } from './sweep-form.tsx';
import { SweepTable } from './sweep-table.tsx';
import { useLoadTests, type LoadChoice } from './use-load-tests.ts';
import './load.css';

const LOCALE = 'en';
const text = createLoadText(LOCALE);

/** Shows load tests of the library and of dropped files: one, or two over each other; starts sweeps. */
export function LoadDialog({ files }: { readonly files: readonly File[] }): ReactElement {
  const { showDialog } = useWorkbench();
  const [problem, setProblem] = useState<Problem | null>(null);
  const report = useCallback((error: unknown) => setProblem(problemOf(error)), []);
  const tests = useLoadTests(files, report);
  const [scale, setScale] = useState<ChartOptions['scale']>('log');
  const [isPlanning, setPlanning] = useState(false);
  const close = (): void => showDialog(null);
  return (
    <Dialog title="Load tests" className="load-dialog" onClose={close}>
      <div className="load-bar">
        <TestSelect
          label="Load test"
          none="None"
          choices={tests.choices}
          value={tests.first}
          onChange={tests.setFirst}
        />
        <TestSelect
          label="Compare with"
          none="Nothing"
          choices={tests.choices}
          value={tests.second}
          onChange={tests.setSecond}
        />
        <Segments
          label="Scale of the concurrency"
          value={scale}
          options={[
            { value: 'log', label: 'Log' },
            { value: 'linear', label: 'Linear' },
          ]}
          onChange={setScale}
        />
        <button type="button" className="button" aria-expanded={isPlanning} onClick={() => setPlanning(!isPlanning)}>
          New sweep…
        </button>
      </div>
      <div className="dialog-body load-body">
        {problem !== null && <ProblemView problem={problem} />}
        {isPlanning && (
          <SweepForm
            onStarted={(id) => {
              setPlanning(false);
              tests.setFirst(id);
            }}
          />
        )}
        <TestState tests={tests} />
        <Sweeps sweeps={tests.sweeps} scale={scale} />
      </div>
    </Dialog>
  );
}

/** A file that can't be read is not an internal error. */
function problemOf(error: unknown): Problem {
  if (!(error instanceof ImportFailure)) return toProblem(error);
  return {
    code: error.failure,
    message: `${error.message}${describeLocation(error.location)}`,
    remedy: null,
    details: null,
  };
}

interface TestSelectProps {
  readonly label: string;
  readonly none: string;
  readonly choices: readonly LoadChoice[];
  readonly value: string;
  readonly onChange: (key: string) => void;
}

function TestSelect({ label, none, choices, value, onChange }: TestSelectProps): ReactElement {
  return (
    <label className="labelled">
      {label}
      <Select
        value={value}
        options={[
          { value: '', label: none },
          ...choices.map((test) => ({
            value: test.key,
            label: `${visibleText(test.name.slice(0, 80))} · ${test.where}`,
          })),
        ]}
        onChange={onChange}
      />
    </label>
  );
}

/** What the selected test is, and what can be done with it. */
function TestState({ tests }: { readonly tests: ReturnType<typeof useLoadTests> }): ReactElement | null {
  const { selected } = tests;
  if (selected === null) {
    return tests.choices.length === 0 ? (
      <p className="dim">
        No load tests yet. Start a sweep, or drop results of wrk, hey, k6, vegeta, oha, autocannon, ab, Locust or a .dat
        file into the window.
      </p>
    ) : null;
  }
  return (
    <p className="load-state">
      <span>
        {selected.state} · {count(selected.runs)} {selected.runs === 1 ? 'run' : 'runs'}
        {selected.message === null ? '' : ` · ${visibleText(selected.message)}`}
      </span>
      {selected.state === 'running' && (
        <>
          <button type="button" className="button" onClick={tests.stop}>
            Stop and keep
          </button>
          <button type="button" className="button" onClick={tests.cancel}>
            Cancel
          </button>
        </>
      )}
      {selected.isFile && (
        <button type="button" className="button" onClick={tests.keep}>
          Keep in the library
        </button>
      )}
      {!selected.isFile && selected.state !== 'running' && (
        <button type="button" className="button" onClick={tests.trash}>
          Delete
        </button>
      )}
    </p>
  );
}

interface SweepsProps {
  readonly sweeps: readonly LoadSweep[];
  readonly scale: ChartOptions['scale'];
}

function Sweeps({ sweeps, scale }: SweepsProps): ReactElement | null {
  const [first, second] = sweeps;
  const comparison = useMemo(
    () => (first === undefined || second === undefined ? null : compareSweeps(first, second)),
    [first, second],
  );
  const charts = useMemo(() => {
    const sides = sweeps.map((sweep, place): ChartSide => ({
      role: sweeps.length === 1 ? 'only' : place === 0 ? 'before' : 'after',
      sweep,
    }));
    return sweepCharts(sides, { locale: LOCALE, text, scale });
  }, [sweeps, scale]);
  if (first === undefined) return null;
  const notes = [...new Set([...(comparison?.warnings ?? []), ...sweeps.flatMap(sweepNotes)])];
  return (
    <>
      {second !== undefined && (
        <p className="load-legend">
          <span className="load-before">● before: {visibleText(first.name)}</span>
          <span className="load-after">● after: {visibleText(second.name)}</span>
        </p>
      )}
      <div className="load-charts">
        {charts.map(({ id, title, svg }) => (
          <figure key={id}>
            <figcaption>{title}</figcaption>
            <ChartView svg={svg} />
          </figure>
        ))}
      </div>
      <SweepTable sweep={first} comparison={comparison} text={text} />
      {notes.length > 0 && (
        <ul className="load-notes dim">
          {notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
