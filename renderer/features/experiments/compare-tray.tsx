import type { ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import { commonName } from '../../state/group-captures.ts';
import { countOf } from '../../ui/format.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { EMPTY_TRAY, isEmptyTray, addToTray, swapTray, takeOutOfTray } from '../../state/compare-tray.ts';
import type { TrayCaptures } from '../../state/compare-tray.ts';
import { useCaptureDrop } from '../../ui/lists/capture-drag.ts';
import './experiments.css';
import { Button, IconButton } from '../../ui/buttons.tsx';

/** The captures chosen for a comparison, by side, and Compare. */
export function CompareTray(): ReactElement | null {
  const { store, experiments } = useWorkbench();
  const tray = useWorkbenchState((state) => state.tray);
  const captures = useWorkbenchState((state) => state.captures);
  const isDragging = useWorkbenchState((state) => state.draggingCaptures);
  if (isEmptyTray(tray) && !isDragging) return null;
  const set = (next: TrayCaptures): void => store.set({ tray: next });
  const onSide = (side: Side): CaptureDocument[] =>
    tray[side].flatMap((id) => captures?.find((capture) => capture.id === id) ?? []);
  const [before, after] = [onSide('before'), onSide('after')];
  const canCompare = before.length > 0 && after.length > 0;
  return (
    <section className="compare-tray" aria-label="To compare">
      {SIDES.map((side) => (
        <TraySide key={side} side={side} captures={side === 'before' ? before : after} tray={tray} onChange={set} />
      ))}
      <div className="compare-tray-actions">
        <Button
          className="primary"
          disabled={!canCompare}
          onClick={() => {
            experiments.compare(before, after);
            set(EMPTY_TRAY);
          }}
        >
          {compareLabel(before.length, after.length)}
        </Button>
        <Button
          aria-label="Swap before and after"
          title="Swap before and after"
          disabled={isEmptyTray(tray)}
          onClick={() => set(swapTray(tray))}
        >
          ⇄
        </Button>
        <IconButton icon="close" label="Clear comparison" title="Clear both sides" onClick={() => set(EMPTY_TRAY)} />
      </div>
    </section>
  );
}

function compareLabel(before: number, after: number): string {
  if (before === 1 && after === 1) return 'Compare these two';
  return before === 0 || after === 0 ? 'Compare' : `Compare ${before} with ${after}`;
}

interface TraySideProps {
  readonly side: Side;
  readonly captures: readonly CaptureDocument[];
  readonly tray: TrayCaptures;
  readonly onChange: (tray: TrayCaptures) => void;
}

function TraySide({ side, captures, tray, onChange }: TraySideProps): ReactElement {
  const { isOver, ...drop } = useCaptureDrop((ids) => onChange(addToTray(tray, side, ids)));
  const names = captures.map(({ name }) => name).join('\n');
  return (
    <div className={isOver ? 'tray-side over' : 'tray-side'} {...drop}>
      <span className={`dot side-${side}`} />
      <b>{side}</b>
      {captures.length === 0 ? (
        <span className="faint ellipsis">select or drop captures</span>
      ) : (
        <>
          <span className="ellipsis" title={names}>
            {commonName(captures)}
          </span>
          {captures.length > 1 && <small title={countOf(captures.length, 'capture')}>× {captures.length}</small>}
          <IconButton
            icon="close"
            label={`Clear the ${side} side`}
            onClick={() => onChange(takeOutOfTray(tray, tray[side]))}
          />
        </>
      )}
    </div>
  );
}
