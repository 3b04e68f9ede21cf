import type { ReactElement, ReactNode } from 'react';
import { LIVE_WINDOW_SECONDS } from '#core/contract/live-defaults.ts';
import { PPROF_ENDPOINTS } from '#core/contract/pprof.ts';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Choice, textFields, type PageProps } from '../dialog-fields.tsx';
import { ProcessFields } from '../process-fields.tsx';
import { processKey, type PprofForm } from './pprof-form.ts';
import { Button } from '../../../ui/buttons.tsx';
import { Labelled, LinesField } from '../../../ui/fields/labelled-fields.tsx';

type PprofPageProps = PageProps<PprofForm>;

export function PprofPlace({ form, onChange }: PprofPageProps): ReactElement {
  return (
    <Segments
      label="Service location"
      value={form.place}
      options={[
        { value: 'url', label: 'Address' },
        { value: 'pid', label: 'Process' },
      ]}
      onChange={(place) => onChange({ place })}
    />
  );
}

export function PprofPage(props: PprofPageProps & { readonly children: ReactNode }): ReactElement {
  const { form, rows, onChange, children } = props;
  const text = textFields<'url' | 'afterUrl' | 'seconds' | 'otherKinds'>(props);
  const isInTurn = form.purpose.kind === 'in-turn';
  const isLive = form.purpose.kind === 'live';
  return (
    <>
      {form.place === 'pid' && <ProcessFields form={form} rows={rows} onChange={onChange} />}
      {form.place === 'pid' && (
        <Button
          disabled={form.processes.size === 0 || form.probed === processKey(form)}
          onClick={() => onChange({ probed: processKey(form) })}
        >
          Find its address
        </Button>
      )}
      <div className="record-options">
        {form.place === 'url' &&
          text('url', isInTurn ? 'Address before' : 'Address', { wide: true, placeholder: 'http://localhost:6060/' })}
        {form.place === 'url' && isInTurn && text('afterUrl', 'Address after', { wide: true })}
        <Kinds {...props} />
        {text('otherKinds', 'Custom profiles', { wide: true, placeholder: 'names, separated by commas' })}
        {isLive
          ? text('seconds', 'Length of a window', {
              numeric: true,
              unit: 's',
              placeholder: String(LIVE_WINDOW_SECONDS),
            })
          : text('seconds', 'Duration', { numeric: true, unit: 's' })}
        {children}
        <div className="wide">
          <Choice
            checked={form.delta}
            label="Growth during the recording"
            hint="for kinds that count since the program started"
            onChange={(delta) => onChange({ delta })}
          />
          <Choice
            checked={form.goroutineStates}
            label="Goroutine states"
            hint="stored with the profile as text"
            onChange={(goroutineStates) => onChange({ goroutineStates })}
          />
        </div>
        <Access {...props} />
      </div>
    </>
  );
}

function Kinds({ form, onChange }: PprofPageProps): ReactElement {
  return (
    <fieldset className="wide record-kinds">
      <legend>Profiles</legend>
      {Object.entries(PPROF_ENDPOINTS).map(([kind, { label }]) => (
        <label key={kind} className="record-choice">
          <input
            type="checkbox"
            checked={form.kinds.includes(kind)}
            onChange={(event) => {
              const others = form.kinds.filter((one) => one !== kind);
              onChange({ kinds: event.target.checked ? [...others, kind] : others });
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

const PEM_FILES = [
  { field: 'certificate', label: 'Client certificate' },
  { field: 'key', label: 'Its key' },
  { field: 'ca', label: 'Authority' },
] as const;

/** Headers and certificates that the service requires; they are not stored. */
function Access({ form, wrongField, onChange }: PprofPageProps): ReactElement {
  return (
    <details className="wide">
      <summary>Headers and certificates</summary>
      <LinesField
        label="Headers, one per line; never stored"
        wide
        rows={2}
        value={form.headers}
        placeholder="Authorization: Bearer …"
        isWrong={wrongField === 'headers'}
        onChange={(headers) => onChange({ headers })}
      />
      {PEM_FILES.map(({ field, label }) => (
        <Labelled key={field} label={`${label} (PEM)`}>
          <input
            type="file"
            onChange={(event) => {
              const { [field]: _before, ...others } = form.tls;
              const file = event.target.files?.[0];
              if (file === undefined) onChange({ tls: others });
              else void file.text().then((pem) => onChange({ tls: { ...others, [field]: pem.slice(0, 100_001) } }));
            }}
          />
        </Labelled>
      ))}
    </details>
  );
}
