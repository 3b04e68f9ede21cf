import type { ReactElement } from 'react';
import { CheckField } from '../../ui/fields/labelled-fields.tsx';
import type { useLoadHosts } from './planned-load.tsx';

interface SourcesFieldProps {
  /** Machines other than the first one that sends. */
  readonly hosts: ReturnType<typeof useLoadHosts>;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Checkboxes for further machines that send at the same moment as the first one. */
export function SourcesField({ hosts, chosen, onChange }: SourcesFieldProps): ReactElement | null {
  if (hosts.length === 0) return null;
  return (
    <fieldset className="load-sources">
      <legend>Also send from, at the same time</legend>
      {hosts.map(({ value, label }) => (
        <CheckField
          key={value}
          checked={chosen.includes(value)}
          onChange={(isChosen) => onChange(isChosen ? [...chosen, value] : chosen.filter((one) => one !== value))}
        >
          {label}
        </CheckField>
      ))}
    </fieldset>
  );
}

/** Returns the plan's part about further machines; those that are not offered any more send nothing. */
export function sendersOf(hosts: SourcesFieldProps['hosts'], chosen: readonly string[]): { senders?: string[] } {
  const senders = hosts.map(({ value }) => value).filter((value) => chosen.includes(value));
  return senders.length === 0 ? {} : { senders };
}
