import { useState, type FormEvent, type ReactElement } from 'react';
import type { LoadAnswer } from '#core/contract/load-methods.ts';
import type { LoadPlan } from '#core/contract/load-test.ts';
import { MAX_SOURCES, parseLoadSeries } from '#core/contract/load-series.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import { DEFAULT_CONCURRENCIES } from '#core/load/plan-load.ts';
import { toProblem } from '../../state/problem.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { Select } from '../../ui/fields/select.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { callLoad } from './call-load.ts';
import { MonoField } from '../../ui/fields/mono-field.tsx';
import { hasValidPids, NOT_WATCHED, ServerFields, serverOf, type WatchedServer } from './server-fields.tsx';
import type { Problem } from '../../ui/problem.ts';

const TOOLS = [
  { value: 'wrk', label: 'wrk' },
  { value: 'hey', label: 'hey' },
] as const;

/** Plans a sweep, shows its total load, and starts it once the user confirms. */
export function SweepForm({ onStarted }: { readonly onStarted: (id: string) => void }): ReactElement {
  const { engine } = useWorkbench();
  const targets = useWorkbenchState((state) => state.targets);
  const [url, setUrl] = useState('');
  const [tool, setTool] = useState<LoadPlan['tool']>('wrk');
  const [target, setTarget] = useState<string>(LOCAL_TARGET);
  const [steps, setSteps] = useState(DEFAULT_CONCURRENCIES.join(', '));
  const [seconds, setSeconds] = useState('30');
  const [repeats, setRepeats] = useState('3');
  const [watched, setWatched] = useState<WatchedServer>(NOT_WATCHED);
  const [headers, setHeaders] = useState('');
  const [script, setScript] = useState('');
  const [sources, setSources] = useState('');
  const [planned, setPlanned] = useState<LoadAnswer<'plan'> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const concurrencies = steps
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map(Number);
  const series = sources
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseLoadSeries);
  const isValid =
    url !== '' &&
    concurrencies.length > 0 &&
    new Set(concurrencies).size === concurrencies.length &&
    [...concurrencies, Number(seconds), Number(repeats)].every((value) => Number.isInteger(value) && value > 0) &&
    hasValidPids(watched) &&
    series.every((source) => source !== null) &&
    series.length <= MAX_SOURCES;
  /** Discards the plan at each change, so that only what is shown can run. */
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      setPlanned(null);
      setProblem(null);
    };
  const plan = async (): Promise<void> => {
    const asked: LoadPlan = {
      tool,
      url,
      headers: headers
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
      script: tool === 'wrk' && script.trim() !== '' ? script.trim() : null,
      concurrencies: concurrencies.toSorted((a, b) => a - b),
      seconds: Number(seconds),
      repeats: Number(repeats),
      warmUp: 3,
      coolDown: 1,
      threads: null,
      ...serverOf(watched, target),
      ...(series.length === 0 ? {} : { series: series.filter((source) => source !== null) }),
    };
    setPlanned(await callLoad(engine, 'plan', { target, name: url, plan: asked }));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const fail = (error: unknown): void => {
      setPlanned(null);
      setProblem(toProblem(error));
    };
    if (planned === null) plan().catch(fail);
    else callLoad(engine, 'start', { confirmation: planned.confirmation }).then(({ id }) => onStarted(id), fail);
  };
  const hosts = [
    { value: LOCAL_TARGET, label: 'this machine' },
    ...(targets?.targets ?? [])
      .filter(({ id }) => id !== LOCAL_TARGET)
      .map(({ id, name }) => ({ value: id, label: visibleText(name) })),
  ];
  return (
    <form className="sweep-form" onSubmit={submit}>
      <div className="sweep-fields">
        <MonoField label="URL" value={url} placeholder="http://host:8080/path" onChange={change(setUrl)} />
        <MonoField label="Connections" value={steps} placeholder="10, 20, 50" onChange={change(setSteps)} />
        <MonoField label="Seconds per run" value={seconds} placeholder="30" onChange={change(setSeconds)} />
        <MonoField label="Runs per step" value={repeats} placeholder="3" onChange={change(setRepeats)} />
        <label className="labelled">
          Tool
          <Select value={tool} options={TOOLS} onChange={change(setTool)} />
        </label>
        <label className="labelled">
          From
          <Select value={target} options={hosts} onChange={change(setTarget)} />
        </label>
      </div>
      <ServerFields watched={watched} hosts={hosts} onChange={change(setWatched)} />
      <details className="sweep-more">
        <summary>Headers, script and other series</summary>
        <label className="labelled">
          Headers, one per line
          <span className="field">
            <textarea
              className="mono"
              rows={3}
              value={headers}
              placeholder="Authorization: Bearer …"
              spellCheck={false}
              onChange={(event) => change(setHeaders)(event.target.value)}
            />
          </span>
        </label>
        <label className="labelled">
          Other series, one source per line
          <span className="field">
            <textarea
              className="mono"
              rows={2}
              value={sources}
              placeholder="http://host:9100/metrics, statsd:8125 or /path/of/a.csv"
              spellCheck={false}
              onChange={(event) => change(setSources)(event.target.value)}
            />
          </span>
        </label>
        {tool === 'wrk' && (
          <MonoField
            label="Lua script of wrk, a path where it runs"
            value={script}
            placeholder="/home/me/post.lua"
            onChange={change(setScript)}
          />
        )}
      </details>
      {problem !== null && <ProblemView problem={problem} />}
      {planned !== null && (
        <div className="sweep-plan" role="status">
          <p>{visibleText(planned.total)}</p>
          {planned.leftOut !== null && <p>{visibleText(planned.leftOut)}</p>}
          <pre className="mono">{planned.commands.map((argv) => visibleText(quoteArgv(argv))).join('\n')}</pre>
        </div>
      )}
      <div className="dialog-actions">
        <button type="submit" className="button primary" disabled={!isValid}>
          {planned === null ? 'Show the total load' : 'Start load'}
        </button>
      </div>
    </form>
  );
}
