import { useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { FleetFilter, FleetType } from '#core/contract/fleet/replicate.ts';
import type { Side } from '#core/contract/side.ts';
import { readTimeText } from '#core/fleet/time-text.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { MonoField, SelectField } from '../../ui/fields/labelled-fields.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import type { Fleet, FleetPlace } from './use-fleet.ts';
import { Button } from '../../ui/buttons.tsx';

interface CompareFormProps {
  readonly fleet: Fleet;
  readonly place: FleetPlace;
  readonly type: FleetType;
  readonly onOpened: () => void;
}

/** Both sides of a comparison, and its name. */
interface Sides {
  readonly name: string;
  readonly before: FleetFilter;
  readonly after: FleetFilter;
}

const LONGEST = 80;

/** Compares two releases, or before and after a time, with hosts or minutes as replicates. */
export function CompareForm({ fleet, place, type, onOpened }: CompareFormProps): ReactElement {
  const { tabs, notify } = useWorkbench();
  const [by, setBy] = useState<'release' | 'time'>('release');
  const releases = [...new Set(place.described.releases.rows.map(({ release }) => release))];
  const [chosen, setChosen] = useState<{ readonly before?: string; readonly after?: string }>({});
  const [time, setTime] = useState('');
  const sideOf = (side: Side, fallback: number): string | undefined =>
    releases.includes(chosen[side] ?? '') ? chosen[side] : releases.at(fallback);
  const [before, after] = [sideOf('before', -2), sideOf('after', -1)];
  const sides = by === 'release' ? releaseSides(place.filter, before, after) : timeSides(place.filter, time);

  const compare = async (replicates: 'hosts' | 'minutes'): Promise<void> => {
    if (sides === null) return;
    const { name, ...filters } = sides;
    const answer = await fleet.ask('Merging captures', 'compare', {
      store: place.store,
      type,
      sides: filters,
      replicates,
    });
    if (answer === null) return;
    tabs.compare({
      name,
      before: answer.before.map(tabs.fleetInput),
      after: answer.after.map(tabs.fleetInput),
      valueTypes: { before: type, after: type },
    });
    if (answer.notes.length > 0) {
      notify({ kind: 'info', text: `${answer.notes.join('; ')}.`, remedy: null, action: null });
    }
    onOpened();
  };

  const select = (label: string, side: Side, value: string | undefined): ReactElement => (
    <SelectField
      label={label}
      value={String(releases.indexOf(value ?? ''))}
      options={releases.map((release, index) => ({
        value: String(index),
        label: visibleText(release.slice(0, LONGEST)) || '(none)',
      }))}
      onChange={(index) => setChosen({ ...chosen, [side]: releases[Number(index)]! })}
    />
  );
  return (
    <section className="fleet-fields" aria-label="Compare">
      <Segments
        label="Compare by"
        value={by}
        options={[
          { value: 'release', label: 'Releases' },
          { value: 'time', label: 'Times' },
        ]}
        onChange={setBy}
      />
      {by === 'release' ? (
        <>
          {select('Before', 'before', before)}
          {select('After', 'after', after)}
        </>
      ) : (
        <MonoField
          label="Changed at"
          value={time}
          placeholder="2026-11-21T17:44Z"
          isWrong={time !== '' && readTimeText(time) === null}
          onChange={setTime}
        />
      )}
      {(['hosts', 'minutes'] as const).map((replicates) => (
        <Button
          key={replicates}
          disabled={sides === null || fleet.busy !== null}
          onClick={() => void compare(replicates)}
        >
          Compare by {replicates.slice(0, -1)}
        </Button>
      ))}
    </section>
  );
}

function releaseSides(filter: FleetFilter, before: string | undefined, after: string | undefined): Sides | null {
  if (before === undefined || after === undefined || before === after) return null;
  return {
    name: `${before.slice(0, LONGEST)} ↔ ${after.slice(0, LONGEST)}`,
    before: { ...filter, release: [before] },
    after: { ...filter, release: [after] },
  };
}

function timeSides(filter: FleetFilter, text: string): Sides | null {
  const time = readTimeText(text);
  if (time === null) return null;
  return {
    name: `before ↔ after ${text.slice(0, LONGEST)}`,
    before: { ...filter, until: Math.min(time, filter.until ?? time) },
    after: { ...filter, since: Math.max(time, filter.since ?? time) },
  };
}
