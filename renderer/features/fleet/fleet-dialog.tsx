import { useEffect, useMemo, useState, type ReactElement } from 'react';
import type { FleetCarriers } from '../../state/workbench-state.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { MonoField } from '../../ui/fields/labelled-fields.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { callFleet } from './call-fleet.ts';
import { CarrierTable } from './carrier-table.tsx';
import { CompareForm } from './compare-form.tsx';
import { FunctionView } from './function-view.tsx';
import { SelectionFields } from './selection-fields.tsx';
import { useFleet } from './use-fleet.ts';
import '../load/load.css';
import './fleet.css';
import { Button } from '../../ui/buttons.tsx';
import { takeAnswer } from '../../ui/take-answer.ts';

/**
 * Opens a fleet: selects captures, merges and compares them, and finds functions. With `carriers`, shows at once which
 * captures carry a function of a comparison.
 */
export function FleetDialog({ carriers }: { readonly carriers?: FleetCarriers }): ReactElement {
  const { engine, tabs, showDialog, preferences } = useWorkbench();
  const fleets = useStore(preferences, (state) => state.fleets);
  const [path, setPath] = useState(carriers?.store ?? fleets[0] ?? '');
  const initial = useMemo(
    () => (carriers === undefined ? null : { store: carriers.store, type: carriers.type }),
    [carriers],
  );
  const fleet = useFleet(initial);
  const { place, problem, busy } = fleet;
  const close = (): void => showDialog(null);

  useEffect(
    () =>
      takeAnswer(
        callFleet(engine, 'named', {}),
        ({ store }) => setPath((now) => (now === '' ? (store ?? now) : now)),
        () => undefined,
      ),
    [engine],
  );

  const openMerged = async (): Promise<void> => {
    if (place === null || place.type === null) return;
    const { store, filter, type } = place;
    const source = { kind: 'fleet' as const, store, filter, type, replicate: null };
    const file = await fleet.ask('Merging', 'merge', { source });
    if (file === null) return;
    tabs.openFleet({ source, file });
    close();
  };

  return (
    <Dialog title="Fleet" className="fleet-dialog" onClose={close}>
      <form
        className="fleet-bar"
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim() !== '') void fleet.open(path.trim());
        }}
      >
        <MonoField label="Fleet" value={path} placeholder="/var/lib/fleet.duckdb" onChange={setPath} />
        <button type="submit" className={place === null ? 'button primary' : 'button'} disabled={busy !== null}>
          Open fleet
        </button>
        {fleets
          .filter((store) => store !== path)
          .slice(0, 3)
          .map((store) => (
            <Button
              key={store}
              className="ellipsis fleet-recent"
              title={store}
              onClick={() => {
                setPath(store);
                void fleet.open(store);
              }}
            >
              {store.slice(store.lastIndexOf('/') + 1)}
            </Button>
          ))}
        <span role="status" className="dim">
          {busy === null ? '' : `${busy}…`}
        </span>
      </form>
      <div className="dialog-body fleet-body">
        {problem !== null && <ProblemView problem={problem} />}
        {place === null && problem === null && busy === null && (
          <p className="dim">
            A fleet is a file, or the ClickHouse database that FLAMEBENCH_FLEET names, in which{' '}
            <code>flamebench fleet push</code> keeps captures of many hosts. Enter its path to merge and compare them.
          </p>
        )}
        {place !== null && (
          <>
            {carriers !== undefined && place.store === carriers.store && (
              <CarrierTable fleet={fleet} carriers={carriers} onOpened={close} />
            )}
            <SelectionFields key={place.store} fleet={fleet} place={place} onMerge={() => void openMerged()} />
            {place.type !== null && (
              <>
                <CompareForm
                  key={`${place.store} compare`}
                  fleet={fleet}
                  place={place}
                  type={place.type}
                  onOpened={close}
                />
                <FunctionView key={`${place.store} function`} fleet={fleet} place={place} type={place.type} />
              </>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
