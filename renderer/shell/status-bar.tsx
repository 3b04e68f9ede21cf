import { useRef, type ReactElement } from 'react';
import type { Connection } from '../state/engine-client.ts';
import type { RegionTable, TabTable } from '../state/features.ts';
import { partsOf } from '../state/features.ts';
import { useStore } from '../state/store.ts';
import { usePart } from '../ui/parts.tsx';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'connecting…',
  open: 'engine ready',
  lost: 'engine lost',
  expired: 'session ended',
};

export function StatusBar({ parts, End }: { parts: TabTable; End: RegionTable['statusEnd'] }): ReactElement {
  const { engine } = useWorkbench();
  const bar = useRef<HTMLElement>(null);
  usePart('status', bar);
  const connection = useStore(engine.connection, (state) => state.state);
  const active = useWorkbenchState((state) => state.tabs.find((tab) => tab.id === state.activeTab) ?? null);
  const version = useWorkbenchState((state) => state.engine?.version);
  const Status = active === null ? null : partsOf(parts, active).Status;
  return (
    <footer ref={bar} className="status-bar" aria-label="Status">
      {active !== null && Status !== null && <Status tab={active} />}
      <span className="status-end">
        <End />
        <span className={connection === 'open' ? 'dot ok' : 'dot warn'} />
        {CONNECTIONS[connection]}
        {version !== undefined && <span className="dim">{version}</span>}
      </span>
    </footer>
  );
}
