import { useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { readTimeText } from '#core/fleet/time-text.ts';
import { MonoField, SelectField } from '../../ui/fields/labelled-fields.tsx';
import { countOf, count, dateAndTime } from '../../ui/format.ts';
import { ChoiceField } from './choice-field.tsx';
import { FleetTable } from './fleet-table.tsx';
import type { Fleet, FleetPlace } from './use-fleet.ts';
import { Button } from '../../ui/buttons.tsx';

interface SelectionFieldsProps {
  readonly fleet: Fleet;
  readonly place: FleetPlace;
  readonly onMerge: () => void;
}

const plain = (text: string): string => text;

/** Selects captures, and says how many there are by release. */
export function SelectionFields({ fleet, place, onMerge }: SelectionFieldsProps): ReactElement {
  const { described, filter, type } = place;
  const { releases, captures, services, hosts, labels, types } = described;
  // The names of all releases that were seen, so that a selected one leaves the others in the menu.
  const [known] = useState(() => [...new Set(releases.rows.map(({ release }) => release))]);
  return (
    <section aria-label="Selection">
      <div className="fleet-fields fleet-selection">
        <ChoiceField
          label="Service"
          all="All services"
          options={services}
          textOf={plain}
          chosen={filter.service}
          onChange={(service) => fleet.setFilter({ service })}
        />
        <ChoiceField
          label="Release"
          all="All releases"
          options={{ rows: known, more: 0 }}
          textOf={plain}
          chosen={filter.release}
          onChange={(release) => fleet.setFilter({ release })}
        />
        <ChoiceField
          label="Host"
          all="All hosts"
          options={hosts}
          textOf={plain}
          chosen={filter.host}
          onChange={(host) => fleet.setFilter({ host })}
        />
        <ChoiceField
          label="Label"
          all="All labels"
          options={labels}
          textOf={([key, value]) => `${key}=${value}`}
          chosen={filter.labels}
          onChange={(chosen) => fleet.setFilter({ labels: chosen })}
        />
        <TimeField label="Since" onTime={(since) => fleet.setFilter({ since })} />
        <TimeField label="Until" onTime={(until) => fleet.setFilter({ until })} />
        {types.length > 1 && (
          <SelectField
            label="Value type"
            value={String(types.findIndex((one) => one.type === type?.type && one.unit === type.unit))}
            options={types.map((one, index) => ({
              value: String(index),
              label: visibleText(`${one.type} in ${one.unit}`),
            }))}
            onChange={(index) => fleet.setType(types[Number(index)]!)}
          />
        )}
      </div>
      {captures === 0 ? (
        <p>No captures are selected.</p>
      ) : (
        <>
          <FleetTable
            label="Releases"
            header={['Service', 'Release', 'Hosts', 'Captures', 'Samples', 'First']}
            named={1}
            numbers={[2, 3, 4]}
            rows={releases.rows.map((one) => ({
              cells: [
                one.service,
                one.release,
                count(one.hosts),
                count(one.captures),
                count(one.samples),
                dateAndTime(one.first),
              ],
            }))}
            more={releases.more}
          />
          <Button disabled={fleet.busy !== null} onClick={onMerge}>
            Open {countOf(captures, 'capture')} merged
          </Button>
        </>
      )}
    </section>
  );
}

interface TimeFieldProps {
  readonly label: string;
  /** Null: no bound. Called only for a valid text. */
  readonly onTime: (time: number | null) => void;
}

/** A field for a time, which applies when it loses the focus or Enter is pressed. */
function TimeField({ label, onTime }: TimeFieldProps): ReactElement {
  const [text, setText] = useState('');
  const [applied, setApplied] = useState('');
  const time = readTimeText(text);
  const isWrong = text !== '' && time === null;
  const apply = (): void => {
    if (isWrong || text === applied) return;
    setApplied(text);
    onTime(time);
  };
  return (
    <MonoField
      label={label}
      isWrong={isWrong}
      placeholder="2026-11-21T17:44Z"
      value={text}
      onChange={setText}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
