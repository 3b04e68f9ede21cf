import { useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { FleetAnswer } from '#core/contract/fleet/methods.ts';
import type { FleetType } from '#core/contract/fleet/replicate.ts';
import { MonoField } from '../../ui/fields/mono-field.tsx';
import { count, dateAndTime, format } from '../../ui/format.ts';
import { FleetTable } from './fleet-table.tsx';
import type { Fleet, FleetPlace } from './use-fleet.ts';
import { Button } from '../../ui/buttons.tsx';

interface FunctionViewProps {
  readonly fleet: Fleet;
  readonly place: FleetPlace;
  readonly type: FleetType;
}

interface FoundHistory extends FleetAnswer<'history'> {
  readonly name: string;
}

/** Finds functions by part of their name, and shows one's share by release. */
export function FunctionView({ fleet, place, type }: FunctionViewProps): ReactElement {
  const { store, filter } = place;
  const [text, setText] = useState('');
  const [found, setFound] = useState<FleetAnswer<'search'> | null>(null);
  const [history, setHistory] = useState<FoundHistory | null>(null);
  const search = async (): Promise<void> => {
    setHistory(null);
    setFound(await fleet.ask('Searching', 'search', { store, filter, type, text }));
  };
  const showHistory = async (name: string): Promise<void> => {
    const answer = await fleet.ask('Comparing releases', 'history', { store, filter, type, name, metric: 'self' });
    if (answer !== null) setHistory({ name, ...answer });
  };
  const share = (value: number | null): string => (value === null ? '–' : format.share(value, 1));
  return (
    <section aria-label="Functions">
      <form
        className="fleet-fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== '') void search();
        }}
      >
        <MonoField label="Function" value={text} placeholder="part of its name" onChange={setText} />
        <Button type="submit" disabled={text === '' || fleet.busy !== null}>
          Search
        </Button>
      </form>
      {history !== null && (
        <>
          <h3>
            {visibleText(history.name.slice(0, 200))}: share of {visibleText(type.type)} by release
          </h3>
          <FleetTable
            label="Share by release"
            header={['Release', 'First', 'Hosts', 'Captures', 'Self', 'Total', 'Self against the release before']}
            named={0}
            numbers={[2, 3, 4, 5]}
            rows={history.rows.map((row) => ({
              cells: [
                row.release,
                dateAndTime(row.first),
                count(row.hosts),
                count(row.captures),
                share(row.self),
                share(row.total),
                row.text,
              ],
            }))}
            more={0}
          />
          <p role="status">
            {history.firstGrew === null
              ? 'No release is known to have made self grow.'
              : `First grew in ${visibleText(history.firstGrew.slice(0, 200))}.`}
          </p>
        </>
      )}
      {found !== null &&
        (found.rows.length === 0 ? (
          <p role="status">No function contains {visibleText(text.slice(0, 200))}.</p>
        ) : (
          <FleetTable
            label="Functions"
            header={['Self', 'Total', 'Captures', 'Hosts', 'Releases', 'Module', 'Function']}
            named={6}
            numbers={[0, 1, 2, 3, 4]}
            rows={found.rows.map((row) => ({
              cells: [
                format.value(row.self, type.unit),
                format.value(row.total, type.unit),
                count(row.captures),
                count(row.hosts),
                count(row.releases),
                row.module,
                row.name,
              ],
              action: { label: 'History', name: row.name, run: () => void showHistory(row.name) },
            }))}
            more={found.more}
          />
        ))}
    </section>
  );
}
