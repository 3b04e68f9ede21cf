import { useRef, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { FleetAnswer, FleetParams } from '#core/contract/fleet/methods.ts';
import type { FleetFilter, FleetType } from '#core/contract/fleet/replicate.ts';
import { firstGrewText } from '#core/fleet/first-grew.ts';
import { MonoField } from '../../ui/fields/labelled-fields.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { count, dateAndTime, format } from '../../ui/format.ts';
import { FleetTable } from './fleet-table.tsx';
import type { Fleet, FleetPlace } from './use-fleet.ts';
import { Button } from '../../ui/buttons.tsx';

interface FunctionViewProps {
  readonly fleet: Fleet;
  readonly place: FleetPlace;
  readonly type: FleetType;
}

/** Which weight is judged, and what is merged to one replicate. */
type Judging = Pick<FleetParams<'history'>, 'metric' | 'replicates'>;

/** The selection that an answer is of; it is shown only while this is selected. */
interface Selected {
  readonly filter: FleetFilter;
  readonly type: FleetType;
}

interface FoundFunctions extends FleetAnswer<'search'>, Selected {
  readonly text: string;
}

interface FoundHistory extends FleetAnswer<'history'>, Selected, Judging {
  readonly name: string;
}

/** Finds functions by part of their name, and shows one's share by release. */
export function FunctionView({ fleet, place, type }: FunctionViewProps): ReactElement {
  const { store, filter } = place;
  const [text, setText] = useState('');
  const [lastFound, setFound] = useState<FoundFunctions | null>(null);
  const [lastHistory, setHistory] = useState<FoundHistory | null>(null);
  const [judging, setJudging] = useState<Judging>({ metric: 'total', replicates: 'hosts' });
  const current = <T extends Selected>(last: T | null): T | null =>
    last?.filter === filter && last.type === type ? last : null;
  const [found, history] = [current(lastFound), current(lastHistory)];
  const search = async (): Promise<void> => {
    setHistory(null);
    const answer = await fleet.ask('Searching', 'search', { store, filter, type, text });
    setFound(answer === null ? null : { text, filter, type, ...answer });
  };
  /** How often histories were asked for: a slow answer to an earlier question is not shown after a later one's. */
  const asked = useRef(0);
  const showHistory = async (name: string, by: Judging): Promise<void> => {
    asked.current += 1;
    const turn = asked.current;
    const answer = await fleet.ask('Comparing releases', 'history', { store, filter, type, name, ...by });
    if (answer !== null && turn === asked.current) setHistory({ name, filter, type, ...by, ...answer });
  };
  const judge = (change: Partial<Judging>): void => {
    const by = { ...judging, ...change };
    setJudging(by);
    if (history !== null) void showHistory(history.name, by);
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
        {found !== null && (
          <>
            <Segments
              label="Judge releases by"
              value={judging.metric}
              options={[
                { value: 'self', label: 'Self' },
                { value: 'total', label: 'Total' },
              ]}
              onChange={(metric) => judge({ metric })}
            />
            <Segments
              label="Replicates of releases"
              value={judging.replicates}
              options={[
                { value: 'hosts', label: 'By host' },
                { value: 'minutes', label: 'By minute' },
              ]}
              onChange={(replicates) => judge({ replicates })}
            />
          </>
        )}
      </form>
      {history !== null && (
        <>
          <h3>
            {visibleText(history.name.slice(0, 200))}: share of {visibleText(type.type)} by release
          </h3>
          <FleetTable
            label="Share by release"
            header={[
              'Release',
              'First',
              'Hosts',
              'Captures',
              'Self',
              'Total',
              `${history.metric === 'self' ? 'Self' : 'Total'} against the release before`,
            ]}
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
            {firstGrewText(history.firstGrew && visibleText(history.firstGrew.slice(0, 200)), history.metric)}
          </p>
        </>
      )}
      {found !== null &&
        (found.rows.length === 0 ? (
          <p role="status">No function contains {visibleText(found.text.slice(0, 200))}.</p>
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
              action: { label: 'History', name: row.name, run: () => void showHistory(row.name, judging) },
            }))}
            more={found.more}
          />
        ))}
    </section>
  );
}
