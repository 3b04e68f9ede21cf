import { useCallback, useMemo, useState, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { reportLoadOf, type ReportLoad } from '#core/contract/report/load.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { ChartOptions } from '#core/load/charts/sweeps.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { LoadTab } from '../../state/load/tab.ts';
import { describeLocation, toProblem } from '../../state/problem.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import { KneeFields, kneeBoundOf, NO_KNEE, type KneeFieldsValue } from './knee-fields.tsx';
import { HopsTable, HopsView } from './hops-view.tsx';
import { ProbeForm } from './probe-form.tsx';
import { ProbesView } from './probes-view.tsx';
import { STATE_NAMES } from './state-names.ts';
import { StepProfiles } from './step-profiles.tsx';
import { SweepForm } from './sweep-form.tsx';
import { SweepsView, type ShownSweep } from './sweeps-view.tsx';
import { useLoadTests, type LoadChoice, type StoredSeries } from './use-load-tests.ts';
import './load.css';
import { Button } from '../../ui/buttons.tsx';
import { SelectField } from '../../ui/fields/labelled-fields.tsx';

/** Shows load tests of the library and of dropped files, one or two overlaid, and starts sweeps. */
export function TestsPage({ tab }: { readonly tab: LoadTab }): ReactElement {
  const { showDialog, tabs } = useWorkbench();
  const [problem, setProblem] = useState<Problem | null>(null);
  const report = useCallback((error: unknown) => setProblem(problemOf(error)), []);
  const tests = useLoadTests(tab, report);
  const [scale, setScale] = useState<ChartOptions['scale']>('log');
  const [planning, setPlanning] = useState<'sweep' | 'probe' | null>(null);
  const started = (id: string): void => {
    setPlanning(null);
    tests.setFirst(id);
  };
  const [knee, setKnee] = useState<KneeFieldsValue>(NO_KNEE);
  const bound = useMemo(() => kneeBoundOf(knee), [knee]);
  const shown = useMemo(
    () => (bound === null ? tests.shown : tests.shown.map((one) => ({ ...one, sweep: { ...one.sweep, bound } }))),
    [tests.shown, bound],
  );
  const loads = loadsOf(shown, tests.probes);
  return (
    <>
      <div className="load-bar">
        {tests.choices.length > 0 && (
          <>
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
              choices={tests.others}
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
          </>
        )}
        <KneeFields value={knee} onChange={setKnee} />
        <div className="load-actions">
          {loads.length > 0 && tests.shown.every(({ runs }) => runs.length > 0) && (
            <Button onClick={() => showDialog({ kind: 'report-load', loads })}>Report…</Button>
          )}
          <Button onClick={() => tabs.openLoad({ page: 'experiment', shown: null })}>New experiment…</Button>
          {(['sweep', 'probe'] as const).map((kind) => (
            <Button
              key={kind}
              aria-expanded={planning === kind}
              data-first-focus={kind === 'sweep' ? '' : undefined}
              onClick={() => setPlanning(planning === kind ? null : kind)}
            >
              New {kind}…
            </Button>
          ))}
        </div>
      </div>
      <div className="load-body">
        {problem !== null && <ProblemView problem={problem} />}
        {planning === 'sweep' && <SweepForm knee={bound} onStarted={started} />}
        {planning === 'probe' && <ProbeForm onStarted={started} />}
        <TestState tests={tests} />
        <StepProfiles shown={shown} />
        <SweepsView shown={shown} scale={scale} />
        {shown.length === 2 && (
          <HopsView
            key={`${tests.first} ${tests.second}`}
            first={shown}
            scale={scale}
            choices={tests.others.filter(({ key }) => key !== tests.first && key !== tests.second)}
          />
        )}
        {tests.hops !== null && <HopsTable rows={tests.hops} />}
        <ProbesView probes={tests.probes} />
        <Commands of={[...tests.shown, ...tests.probes]} />
      </div>
    </>
  );
}

/** Returns one test, or two as before and after, as a report has them. */
const loadsOf = (shown: readonly ShownSweep[], probes: readonly StoredSeries[]): ReportLoad[] => [
  ...shown.map(({ sweep: { name, bound }, runs, commands }, place) =>
    reportLoadOf(shown.length < 2 ? 'only' : place === 0 ? 'before' : 'after', {
      name,
      runs,
      ...(commands === undefined ? {} : { commands }),
      ...(bound === undefined ? {} : { knee: bound }),
    }),
  ),
  ...probes.map(({ role, ...series }) => reportLoadOf(role, { ...series, runs: [] })),
];

/** The exact commands that ran, without secrets. */
function Commands({ of }: { readonly of: readonly Pick<ShownSweep, 'commands'>[] }): ReactElement | null {
  const lines = of.flatMap(({ commands = [] }) => commands).map((argv) => visibleText(quoteArgv(argv)));
  if (lines.length === 0) return null;
  return (
    <details className="load-components">
      <summary>Commands</summary>
      <pre className="mono">{lines.join('\n')}</pre>
    </details>
  );
}

/** Describes an error; an unreadable file is not an internal one. */
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
    <SelectField
      label={label}
      value={value}
      options={[
        { value: '', label: none },
        ...choices.map((test) => ({
          value: test.key,
          label: `${visibleText(shortenMiddle(test.name, 80))} · ${test.where}`,
        })),
      ]}
      onChange={onChange}
    />
  );
}

/** The state of the selected test, and the actions on it. */
function TestState({ tests }: { readonly tests: ReturnType<typeof useLoadTests> }): ReactElement | null {
  const { selected } = tests;
  if (selected === null && tests.isGone) {
    return <p className="dim">This load test is no longer in the library.</p>;
  }
  if (selected === null) {
    return tests.choices.length === 0 ? (
      <p className="dim">
        No load tests yet. Start a sweep or a probe, or drop results of wrk, hey, k6, vegeta, oha, autocannon, ab,
        Locust, a .dat file or JSON of flamebench load into the window.
      </p>
    ) : null;
  }
  return (
    <p className="load-state">
      <span>
        {STATE_NAMES[selected.state]} · {selected.size}
        {selected.message === null ? '' : ` · ${visibleText(selected.message)}`}
      </span>
      {selected.state === 'running' && (
        <>
          <Button onClick={tests.stop}>Stop and keep</Button>
          <Button onClick={tests.cancel}>Cancel</Button>
        </>
      )}
      {selected.canKeep && <Button onClick={tests.keep}>Keep in the library</Button>}
      {!selected.isFile && selected.state !== 'running' && <Button onClick={tests.trash}>Delete</Button>}
    </p>
  );
}
