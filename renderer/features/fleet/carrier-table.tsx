import { useEffect, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { FleetAnswer } from '#core/contract/fleet/methods.ts';
import type { FleetCarriers } from '../../state/workbench-state.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { dateAndTime, format } from '../../ui/format.ts';
import { FleetTable } from './fleet-table.tsx';
import { NO_FILTER, type Fleet } from './use-fleet.ts';
import { takeAnswer } from '../../ui/take-answer.ts';

interface CarrierTableProps {
  readonly fleet: Fleet;
  readonly carriers: FleetCarriers;
  readonly onOpened: () => void;
}

/** The captures of both sides by a function's share, largest first; each opens in a tab. */
export function CarrierTable({ fleet, carriers, onOpened }: CarrierTableProps): ReactElement | null {
  const { tabs } = useWorkbench();
  const [found, setFound] = useState<FleetAnswer<'carriers'> | null>(null);
  const { store, type, name, before, after } = carriers;
  const { ask } = fleet;
  useEffect(
    () => takeAnswer(ask('Finding captures', 'carriers', { store, type, name, sides: { before, after } }), setFound),
    [ask, store, type, name, before, after],
  );
  if (found === null) return null;
  const open = async (id: string, named: string): Promise<void> => {
    const source = { kind: 'fleet' as const, store, type, filter: { ...NO_FILTER, capture: [id] }, replicate: null };
    const file = await ask('Reading', 'merge', { source });
    if (file === null) return;
    tabs.openFleet({ source, file: { ...file, fileName: named.slice(0, 200) } });
    onOpened();
  };
  return (
    <section aria-label="Captures">
      <h3>Captures by share of {visibleText(name.slice(0, 200))}</h3>
      <FleetTable
        label="Captures by share"
        header={['Self', 'Total', 'Side', 'Host', 'Release', 'Time', 'Capture']}
        named={6}
        numbers={[0, 1]}
        rows={found.rows.map((row) => ({
          cells: [
            format.share(row.self, row.whole),
            format.share(row.total, row.whole),
            row.side,
            row.host ?? '–',
            row.release,
            dateAndTime(row.time),
            row.name,
          ],
          action: { label: 'Open', name: row.name, run: () => void open(row.id, row.name) },
        }))}
        more={found.more}
      />
    </section>
  );
}
