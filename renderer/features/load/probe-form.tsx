import { useState, type ReactElement } from 'react';
import { MAX_PROBES } from '#core/contract/load/probe.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { LinesField, MonoField, SelectField } from '../../ui/fields/labelled-fields.tsx';
import { callLoad } from './call-load.ts';
import { linesOf, PlannedForm, useLoadHosts, useLoadPlanning } from './planned-load.tsx';

const DEFAULT_PROBES = '10';
const MAX_IDLE = 86_400;

const isWhole = (text: string, least: number, most: number): boolean =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

/** Plans probes of one URL, shows their number and commands, and starts them once the user confirms. */
export function ProbeForm({ onStarted }: { readonly onStarted: (id: string) => void }): ReactElement {
  const { engine } = useWorkbench();
  const hosts = useLoadHosts();
  const [url, setUrl] = useState('');
  const [target, setTarget] = useState<string>(LOCAL_TARGET);
  const [times, setTimes] = useState(DEFAULT_PROBES);
  const [idle, setIdle] = useState('0');
  const [restart, setRestart] = useState('');
  const [preflight, setPreflight] = useState('');
  const [headers, setHeaders] = useState('');
  const planning = useLoadPlanning(
    () =>
      callLoad(engine, 'planProbe', {
        target,
        name: url,
        plan: {
          url,
          headers: linesOf(headers),
          times: Number(times),
          restart: restart.trim() === '' ? null : restart.trim(),
          idle: Number(idle),
          ...(preflight.trim() === '' ? {} : { preflight: preflight.trim() }),
        },
      }),
    onStarted,
  );
  const { change } = planning;
  const isValid = url !== '' && isWhole(times, 1, MAX_PROBES) && isWhole(idle, 0, MAX_IDLE);
  return (
    <PlannedForm planning={planning} isValid={isValid} start="Start probes">
      <div className="sweep-fields">
        <MonoField label="URL" value={url} placeholder="https://host/path" onChange={change(setUrl)} />
        <MonoField label="Probes" value={times} placeholder={DEFAULT_PROBES} onChange={change(setTimes)} />
        <SelectField label="From" value={target} options={hosts} onChange={change(setTarget)} />
      </div>
      <details className="sweep-more">
        <summary>First requests after a pause or a restart; CORS preflight; headers</summary>
        <MonoField
          label="Seconds without requests before each probe"
          value={idle}
          placeholder="0"
          onChange={change(setIdle)}
        />
        <MonoField
          label="Command before each probe, which must end by itself"
          value={restart}
          placeholder="systemctl restart app"
          onChange={change(setRestart)}
        />
        <MonoField
          label="Origin of a page whose browser sends a CORS preflight"
          value={preflight}
          placeholder="https://app.example"
          onChange={change(setPreflight)}
        />
        <LinesField
          label="Headers, one per line"
          value={headers}
          placeholder="Authorization: Bearer …"
          rows={3}
          onChange={change(setHeaders)}
        />
      </details>
    </PlannedForm>
  );
}
