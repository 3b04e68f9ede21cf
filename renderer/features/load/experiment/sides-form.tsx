import { useState, type ReactElement } from 'react';
import type { LoadAnswer } from '#core/contract/load/methods.ts';
import type { SideServer } from '#core/contract/load/experiment.ts';
import { readComponent } from '#core/contract/load/component.ts';
import { loadProfile, type LoadProfile } from '#core/contract/load/profile.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { LOAD_METRICS, type LoadMetricId } from '#core/load/sweep.ts';
import { useWorkbench } from '../../../state/workbench-context.ts';
import { CheckField, LinesField, MonoField, SelectField } from '../../../ui/fields/labelled-fields.tsx';
import { callLoad } from '../call-load.ts';
import { KneeFields, kneeBoundOf, NO_KNEE } from '../knee-fields.tsx';
import { linesOf, PlannedForm, SeriesField, seriesOf, useLoadHosts, useLoadPlanning } from '../planned-load.tsx';
import { COLLECTORS, PLACES } from '../server-fields.tsx';
import { SourcesField, sendersOf } from '../sources-field.tsx';
import { splitCommand } from '../../record/perf/perf-form.ts';

const KINDS = [
  { value: 'start', label: 'Start a server for each side' },
  { value: 'url', label: 'Both servers are running' },
  { value: 'switch', label: 'Switch a running server' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

const FIELDS: Readonly<Record<Kind, { readonly label: string; readonly placeholder: string }>> = {
  start: { label: 'Command', placeholder: './server --port 8080' },
  url: { label: 'URL', placeholder: 'http://127.0.0.1:8080/path' },
  switch: { label: 'Command that switches', placeholder: 'ln -sfn v2 current && systemctl restart app' },
};

/** Recipes are for sweeps. */
const PROFILES = COLLECTORS.filter(({ value }) => value !== 'bpftrace' && value !== 'stap');
type Profile = (typeof PROFILES)[number]['value'];

const METRICS = LOAD_METRICS.map(({ id, label }) => ({ value: id, label }));

const EMPTY = {
  kind: 'start' as Kind,
  url: '',
  before: '',
  after: '',
  connections: '50',
  seconds: '10',
  turns: '5',
  profile: 'perf' as Profile,
  at: 'each' as LoadProfile['at'],
  isUntil: false,
  metric: 'cpu' as LoadMetricId,
  smallerThan: '',
  minutes: '10',
  name: '',
  cwd: '',
  env: '',
  ready: '',
  readySeconds: '30',
  warmUp: '3',
  coolDown: '1',
  isShort: false,
  headers: '',
  components: '',
  series: '',
  knee: NO_KNEE,
  senders: [] as readonly string[],
};
type Form = typeof EMPTY;

function sideOf({ kind, url }: Form, typed: string): SideServer {
  if (kind === 'url') return { url: typed.trim(), start: null, change: null };
  if (kind === 'switch') return { url: url.trim(), start: null, change: ['sh', '-c', typed] };
  const split = splitCommand(typed);
  return { url: url.trim(), start: split.ok ? split.argv : [], change: null };
}

/** Says what is wrong with a command that starts a side; null: nothing. */
function wrongCommand({ kind, before, after }: Form): string | null {
  if (kind !== 'start') return null;
  const [wrong] = [before, after].flatMap((typed) => {
    const split = splitCommand(typed);
    return split.ok ? [] : [split.message];
  });
  return wrong ?? null;
}

const isWholeNumberText = (text: string, least: number): boolean => /^\d{1,5}$/.test(text) && Number(text) >= least;
const connectionsOf = ({ connections }: Form): number[] =>
  [
    ...new Set(
      connections
        .split(/[\s,]+/)
        .filter((word) => word !== '')
        .map(Number),
    ),
  ].sort((a, b) => a - b);
const envOf = ({ env }: Form): [string, string][] =>
  linesOf(env).map((line) => {
    const at = line.indexOf('=');
    return [at < 0 ? '' : line.slice(0, at), line.slice(at + 1)];
  });

const isValid = (form: Form): boolean =>
  wrongCommand(form) === null &&
  form.before.trim() !== '' &&
  form.after.trim() !== '' &&
  (form.kind === 'url' || form.url.trim() !== '') &&
  connectionsOf(form).length > 0 &&
  connectionsOf(form).every((one) => Number.isInteger(one) && one > 0) &&
  [form.seconds, form.turns, form.minutes, form.readySeconds].every((text) => isWholeNumberText(text, 1)) &&
  [form.warmUp, form.coolDown].every((text) => isWholeNumberText(text, 0)) &&
  (form.smallerThan === '' || (Number(form.smallerThan) > 0 && Number(form.smallerThan) < 100)) &&
  envOf(form).every(([name]) => name !== '') &&
  linesOf(form.components).every((line) => readComponent(line) !== null) &&
  seriesOf(form.series) !== null;

/** Plans an experiment, shows what will run, and starts it once the user confirms. */
export function SidesForm({ onStarted }: { readonly onStarted: () => void }): ReactElement {
  const { engine } = useWorkbench();
  const [form, setForm] = useState(EMPTY);
  const others = useLoadHosts().filter(({ value }) => value !== LOCAL_TARGET);
  const knee = kneeBoundOf(form.knee);
  const plan = async (): Promise<LoadAnswer<'plan'>> =>
    callLoad(engine, 'planExperiment', {
      plan: {
        name: form.name,
        sides: { before: sideOf(form, form.before), after: sideOf(form, form.after) },
        server: {
          cwd: form.cwd.trim() === '' ? null : form.cwd.trim(),
          env: Object.fromEntries(envOf(form)),
          ready: form.ready.trim() === '' ? null : form.ready.trim(),
          readySeconds: Number(form.readySeconds),
          components: linesOf(form.components).flatMap((line) => readComponent(line) ?? []),
        },
        load: {
          tool: 'wrk',
          headers: linesOf(form.headers),
          script: null,
          concurrencies: connectionsOf(form),
          seconds: Number(form.seconds),
          warmUp: Number(form.warmUp),
          coolDown: Number(form.coolDown),
          threads: null,
          ...(form.isShort ? { shortConnections: true } : {}),
          ...sendersOf(others, form.senders),
          ...seriesOf(form.series),
          ...(knee === null ? {} : { knee }),
        },
        profile: form.profile === 'none' ? null : loadProfile(form.profile, form),
        pairs: Number(form.turns),
        until: form.isUntil
          ? {
              metric: form.metric,
              smallerThan: form.smallerThan === '' ? null : Number(form.smallerThan) / 100,
              minutes: Number(form.minutes),
            }
          : null,
      },
    });
  const planning = useLoadPlanning(plan, onStarted);
  const set = <Key extends keyof Form>(key: Key) =>
    planning.change((value: Form[Key]) => setForm((now) => ({ ...now, [key]: value })));
  const typed = (
    key: { [K in keyof Form]: Form[K] extends string ? K : never }[keyof Form],
    label: string,
    hint = '',
  ) => <MonoField label={label} value={form[key]} placeholder={hint} onChange={set(key)} />;
  const field = FIELDS[form.kind];
  const wrong = wrongCommand(form);
  return (
    <PlannedForm planning={planning} isValid={isValid(form)} start="Start experiment">
      <div className="sweep-fields">
        {form.kind !== 'url' && typed('url', 'URL', 'http://127.0.0.1:8080/path')}
        <SelectField label="Sides" value={form.kind} options={KINDS} onChange={set('kind')} />
      </div>
      <div className="sides-fields">
        {typed('before', `Before: ${field.label}`, field.placeholder)}
        {typed('after', `After: ${field.label}`, field.placeholder)}
      </div>
      {wrong !== null && <p className="load-worse">{wrong}</p>}
      <div className="sweep-fields">
        {typed('connections', 'Connections', '50 or 10, 50')}
        {typed('seconds', 'Seconds per run', '10')}
        {!form.isUntil && typed('turns', 'Turns of each side', '5')}
        <SelectField label="Profile" value={form.profile} options={PROFILES} onChange={set('profile')} />
        {form.profile !== 'none' && (
          <SelectField label="Recorded" value={form.at} options={PLACES} onChange={set('at')} />
        )}
        <CheckField checked={form.isUntil} onChange={set('isUntil')}>
          Continue until decided
        </CheckField>
      </div>
      <SourcesField hosts={others} chosen={form.senders} onChange={set('senders')} />
      {form.isUntil && (
        <div className="sweep-fields">
          <SelectField label="Metric" value={form.metric} options={METRICS} onChange={set('metric')} />
          {typed('smallerThan', 'Or difference below, in %', 'changes only')}
          {typed('minutes', 'Time limit in minutes', '10')}
        </div>
      )}
      <details className="sweep-more">
        <summary>Name, folder, environment, readiness, warm-up, headers, components, series and knee</summary>
        <div className="sweep-fields">
          {typed('name', 'Name', 'from the sides')}
          {form.kind === 'start' && typed('cwd', 'Working folder', '/srv/app')}
          {typed('ready', 'Ready when this answers', 'the URL')}
          {typed('readySeconds', 'Seconds to become ready', '30')}
          {typed('warmUp', 'Seconds of warm-up before each run', '0')}
          {typed('coolDown', 'Seconds between runs', '0')}
          <KneeFields value={form.knee} onChange={set('knee')} />
        </div>
        <CheckField checked={form.isShort} onChange={set('isShort')}>
          A new connection for each request
        </CheckField>
        {form.kind === 'start' && (
          <LinesField
            label="Environment, NAME=VALUE, one per line"
            value={form.env}
            placeholder="GOGC=200"
            rows={2}
            onChange={set('env')}
          />
        )}
        <LinesField
          label="Headers, one per line"
          value={form.headers}
          placeholder="Authorization: Bearer …"
          rows={2}
          onChange={set('headers')}
        />
        <LinesField
          label="Components by port, one per line"
          value={form.components}
          placeholder="gateway=:8080"
          rows={2}
          onChange={set('components')}
        />
        <SeriesField value={form.series} onChange={set('series')} />
      </details>
    </PlannedForm>
  );
}
