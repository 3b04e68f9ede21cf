import { useState, type ReactElement } from 'react';
import type { LoadAnswer } from '#core/contract/load/methods.ts';
import { MAX_LOAD_PAUSE_SECONDS } from '#core/contract/limits.ts';
import type { LoadPlan } from '#core/contract/load/load-test.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { DEFAULT_CONCURRENCIES, HIGH_CONCURRENCIES, HIGH_NEEDS } from '#core/load/plan-load.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { callLoad } from './call-load.ts';
import { CheckField, LinesField, MonoField, SelectField } from '../../ui/fields/labelled-fields.tsx';
import { linesOf, PlannedForm, SeriesField, seriesOf, useLoadHosts, useLoadPlanning } from './planned-load.tsx';
import { SourcesField, sendersOf } from './sources-field.tsx';
import { askedOf, FOUND, hasValidServer, ServerFields, serverOf, type WatchedServer } from './server-fields.tsx';

const TOOLS = [
  { value: 'wrk', label: 'wrk' },
  { value: 'hey', label: 'hey' },
  { value: 'locust', label: 'Locust' },
] as const;

/** The steps that can be chosen instead of typed. */
const PRESETS = [
  { value: DEFAULT_CONCURRENCIES.join(', '), label: '10 to 200' },
  { value: HIGH_CONCURRENCIES.join(', '), label: '200 to 50,000' },
] as const;

const isWhole = (text: string): boolean => /^\d{1,9}$/.test(text);

interface SweepFormProps {
  /** What the knee must meet; null for the default. */
  readonly knee: NonNullable<LoadPlan['knee']> | null;
  readonly onStarted: (id: string) => void;
}

/** Plans a sweep, shows its total load, and starts it once the user confirms. */
export function SweepForm({ knee, onStarted }: SweepFormProps): ReactElement {
  const { engine } = useWorkbench();
  const hosts = useLoadHosts();
  const [url, setUrl] = useState('');
  const [tool, setTool] = useState<LoadPlan['tool']>('wrk');
  const [target, setTarget] = useState<string>(LOCAL_TARGET);
  const [senders, setSenders] = useState<readonly string[]>([]);
  const [steps, setSteps] = useState<string>(PRESETS[0].value);
  const [seconds, setSeconds] = useState('30');
  const [repeats, setRepeats] = useState('3');
  const [warmUp, setWarmUp] = useState('3');
  const [coolDown, setCoolDown] = useState('1');
  const [threads, setThreads] = useState('');
  const [watched, setWatched] = useState<WatchedServer>(FOUND);
  const [isShort, setShort] = useState(false);
  const [isStaircase, setStaircase] = useState(false);
  const [headers, setHeaders] = useState('');
  const [script, setScript] = useState('');
  const [sources, setSources] = useState('');
  const concurrencies = steps
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map(Number);
  const isValid =
    url !== '' &&
    concurrencies.length > 0 &&
    new Set(concurrencies).size === concurrencies.length &&
    [...concurrencies, Number(seconds), Number(repeats)].every((value) => Number.isInteger(value) && value > 0) &&
    [warmUp, coolDown].every((text) => isWhole(text) && Number(text) <= MAX_LOAD_PAUSE_SECONDS) &&
    (threads === '' || (isWhole(threads) && Number(threads) > 0)) &&
    (tool !== 'locust' || script.trim().startsWith('/')) &&
    hasValidServer(watched) &&
    seriesOf(sources) !== null;
  const others = tool === 'wrk' ? hosts.filter(({ value }) => value !== target) : [];
  const isStepwise = tool !== 'locust' && isStaircase;
  const plan = async (): Promise<LoadAnswer<'plan'>> => {
    const asks = askedOf(watched, url);
    const found = asks === null ? null : await callLoad(engine, 'find', { ...asks, target: watched.target ?? target });
    const asked: LoadPlan = {
      tool,
      url,
      headers: tool === 'locust' ? [] : linesOf(headers),
      script: tool !== 'hey' && script.trim() !== '' ? script.trim() : null,
      concurrencies: concurrencies.toSorted((a, b) => a - b),
      seconds: Number(seconds),
      repeats: Number(repeats),
      warmUp: Number(warmUp),
      coolDown: isStepwise ? 0 : Number(coolDown),
      ...(isStepwise ? { staircase: true } : {}),
      ...(tool !== 'locust' && isShort ? { shortConnections: true } : {}),
      threads: tool === 'wrk' && threads !== '' ? Number(threads) : null,
      ...sendersOf(others, senders),
      ...serverOf(watched, target, found?.machine ?? null),
      ...(knee === null ? {} : { knee }),
      ...seriesOf(sources),
    };
    const planned = await callLoad(engine, 'plan', { target, name: url, plan: asked });
    const sentence = found?.sentence ?? null;
    return sentence === null ? planned : { ...planned, total: `${sentence}\n${planned.total}` };
  };
  const planning = useLoadPlanning(plan, onStarted);
  const { change } = planning;
  return (
    <PlannedForm planning={planning} isValid={isValid} start="Start load">
      <div className="sweep-fields sweep-steps">
        <MonoField label="URL" value={url} placeholder="http://host:8080/path" onChange={change(setUrl)} />
        <SelectField
          label="Steps"
          value={steps}
          options={[
            ...PRESETS,
            ...(PRESETS.some(({ value }) => value === steps) ? [] : [{ value: steps, label: 'as typed' }]),
          ]}
          onChange={change(setSteps)}
        />
        <MonoField label="Connections" value={steps} placeholder="10, 20, 50" onChange={change(setSteps)} />
        <MonoField label="Seconds per run" value={seconds} placeholder="30" onChange={change(setSeconds)} />
        <MonoField label="Runs per step" value={repeats} placeholder="3" onChange={change(setRepeats)} />
        <SelectField label="Tool" value={tool} options={TOOLS} onChange={change(setTool)} />
        <SelectField label="From" value={target} options={hosts} onChange={change(setTarget)} />
      </div>
      <SourcesField hosts={others} chosen={senders} onChange={change(setSenders)} />
      {tool === 'locust' && (
        <MonoField
          label="Locust file, a path on its machine"
          value={script}
          placeholder="/home/me/users.py"
          onChange={change(setScript)}
        />
      )}
      {steps === PRESETS[1].value && <p className="faint-hint">This preset {HIGH_NEEDS}.</p>}
      <ServerFields watched={watched} from={target} hosts={hosts} onChange={change(setWatched)} />
      <details className="sweep-more">
        <summary>Warm-up, threads, headers, script and other series</summary>
        <div className="sweep-fields">
          <MonoField
            label="Seconds of warm-up before each run"
            value={warmUp}
            placeholder="0"
            onChange={change(setWarmUp)}
          />
          <MonoField label="Seconds between runs" value={coolDown} placeholder="0" onChange={change(setCoolDown)} />
          {tool === 'wrk' && (
            <MonoField
              label="wrk threads"
              value={threads}
              placeholder="up to three per CPU"
              onChange={change(setThreads)}
            />
          )}
        </div>
        {tool !== 'locust' && (
          <>
            <CheckField checked={isShort} onChange={change(setShort)}>
              A new connection for each request
            </CheckField>
            <CheckField checked={isStaircase} onChange={change(setStaircase)}>
              Staircase: raise the load during the warm-up, without pauses
            </CheckField>
            <LinesField
              label="Headers, one per line"
              value={headers}
              placeholder="Authorization: Bearer …"
              rows={3}
              onChange={change(setHeaders)}
            />
          </>
        )}
        <SeriesField value={sources} onChange={change(setSources)} />
        {tool === 'wrk' && (
          <MonoField
            label="Lua script for wrk, a path on its machine"
            value={script}
            placeholder="/home/me/post.lua"
            onChange={change(setScript)}
          />
        )}
      </details>
    </PlannedForm>
  );
}
