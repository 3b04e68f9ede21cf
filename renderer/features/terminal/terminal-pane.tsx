import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { Select } from '../../ui/fields/select.tsx';
import { usePreference } from '../../state/appearance.ts';
import { Splitter } from '../../ui/fields/splitter.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { isLocal } from '../../ui/status/target-words.ts';
import { TerminalFrame } from './terminal-frame.tsx';
import './terminal.css';
import { Button, IconButton } from '../../ui/buttons.tsx';

const MIN_PX = 110;
const MAX_PX = 800;

/** The pane for prompts of ssh and sudo, and for what launched programs print: a target's terminal below everything else. */
export function TerminalPane(): ReactElement | null {
  const { preferences, targets, parts } = useWorkbench();
  const open = useWorkbenchState((state) => state.terminalOpen);
  const chosen = useWorkbenchState((state) => state.terminalTarget);
  const list = useWorkbenchState((state) => state.targets);
  const terminalPx = usePreference('terminalPx');
  if (!open) return null;
  const rows = (list?.targets ?? []).filter((row) => !isLocal(row) || row.id === chosen);
  const row = rows.find(({ id }) => id === chosen) ?? null;
  const hide = (): void => {
    targets.hideTerminal();
    parts.rescueFocus();
  };
  return (
    <>
      <Splitter
        label="Height of the terminal"
        orientation="horizontal"
        value={terminalPx}
        min={MIN_PX}
        max={MAX_PX}
        perPixel={() => -1}
        onChange={(value) => preferences.set({ terminalPx: value })}
      />
      <section className="terminal-pane" aria-label="Terminal" style={{ height: terminalPx }}>
        {row === null ? (
          <div className="terminal-head">
            <span className="dim">No target has a terminal yet: add one over SSH.</span>
            <PaneEnd rows={rows} chosen={null} onHide={hide} />
          </div>
        ) : (
          <TerminalFrame row={row}>
            <PaneEnd rows={rows} chosen={row} onHide={hide} />
          </TerminalFrame>
        )}
      </section>
    </>
  );
}

interface PaneEndProps {
  readonly rows: readonly TargetRow[];
  readonly chosen: TargetRow | null;
  readonly onHide: () => void;
}

/** Selects the target, offers its actions, and hides the pane. */
function PaneEnd({ rows, chosen, onHide }: PaneEndProps): ReactElement {
  const { targets, showDialog } = useWorkbench();
  return (
    <span className="terminal-end">
      {chosen !== null && !isLocal(chosen) && <ConnectionButton row={chosen} />}
      {chosen?.state.kind === 'up' && (
        <Button onClick={() => showDialog({ kind: 'record', targets: [chosen.id] })}>Record here…</Button>
      )}
      {rows.length > 1 && (
        <Select
          name="Target of the terminal shown"
          value={chosen?.id ?? ''}
          options={[
            ...(chosen === null ? [{ value: '', label: 'choose…' }] : []),
            ...rows.map(({ id, name, state }) => ({
              value: id,
              label: `${visibleText(name)}${state.kind === 'needs-you' ? ' (asks)' : ''}`,
            })),
          ]}
          onChange={(id) => targets.showTerminal(id)}
        />
      )}
      <IconButton icon="close" label="Hide the terminal" shortcut="terminal.toggle" onClick={onHide} />
    </span>
  );
}

function ConnectionButton({ row }: { row: TargetRow }): ReactElement {
  const { targets } = useWorkbench();
  const { kind } = row.state;
  const isOn = kind === 'up' || kind === 'connecting' || kind === 'needs-you';
  return (
    <Button onClick={() => void (isOn ? targets.disconnect(row.id) : targets.connect(row.id))}>
      {isOn ? (kind === 'up' ? 'Disconnect' : 'Stop connecting') : 'Connect'}
    </Button>
  );
}
