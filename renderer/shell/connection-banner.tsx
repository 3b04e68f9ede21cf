import type { ReactElement } from 'react';
import { useStore } from '../state/store.ts';
import { Icon } from '../ui/icons.tsx';
import { useWorkbench } from '../state/workbench-context.ts';

/** Shown while the engine is unreachable. Open tabs stay usable, since parsing and analysis run in the page. */
export function ConnectionBanner(): ReactElement | null {
  const { engine } = useWorkbench();
  const state = useStore(engine.connection, (connection) => connection.state);
  if (state !== 'lost' && state !== 'expired') return null;
  return (
    <div className="banner" role="alert">
      <Icon name="warning" />
      {state === 'lost' ? (
        <>
          <span>
            The Flamebench engine does not answer. Open profiles stay usable; the library and recording need it. Trying
            again every few seconds.
          </span>
          <button
            type="button"
            className="button"
            onClick={() => {
              engine.connect();
            }}
          >
            Reconnect
          </button>
        </>
      ) : (
        <span>
          The engine was restarted and does not know this session. Open the workbench again from the link that
          Flamebench prints. Open profiles stay usable.
        </span>
      )}
    </div>
  );
}
