import type { KeyboardEvent, ReactElement } from 'react';
import type { ExperimentCapture, ExperimentState, MissingCapture } from '#core/contract/experiment.ts';
import { otherSide, type Side } from '#core/contract/side.ts';
import { countOf } from '../../ui/format.ts';
import { PlacedMenu, useRowMenu } from '../../ui/menu/row-menu.tsx';
import { shownName } from '../../state/capture-name.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { useCaptureDrop } from '../../ui/lists/capture-drag.ts';

interface SideRowsProps {
  readonly state: ExperimentState;
  readonly side: Side;
}

/** A side of an experiment with its captures; captures dropped here are added. */
export function ExperimentSideRows({ state, side }: SideRowsProps): ReactElement {
  const { experiments, showDialog } = useWorkbench();
  const { id, name } = state.experiment;
  const { label, captures } = state.experiment[side];
  const { isOver, ...drop } = useCaptureDrop((ids) => {
    void experiments.add(id, side, ids);
  });
  const menu = useRowMenu();
  return (
    <li>
      <button
        type="button"
        className={isOver ? 'side-row over' : 'side-row'}
        title={`${side} of ${name}: drop captures here, click to record more`}
        onClick={menu.openAt}
        {...drop}
      >
        <span className={`dot side-${side}`} />
        <span className="ellipsis">{label === '' ? side : `${side} · ${label}`}</span>
        <small>{countOf(captures.length, 'run')}</small>
      </button>
      <ul>
        {captures.map((capture) => (
          <SideCapture
            key={capture.id}
            state={state}
            side={side}
            capture={capture}
            why={state.missing.find((missing) => missing.id === capture.id)?.why ?? null}
          />
        ))}
      </ul>
      <PlacedMenu
        title={`${name}: ${side}`}
        place={menu}
        groups={() => [
          [
            {
              label: `Record more of ${side}…`,
              run: () => showDialog({ kind: 'record', purpose: { kind: 'side', experimentId: id, side } }),
            },
          ],
        ]}
      />
    </li>
  );
}

interface SideCaptureProps extends SideRowsProps {
  readonly capture: ExperimentCapture;
  readonly why: MissingCapture['why'] | null;
}

/** A capture of a side: click or Enter opens it, Delete removes it from the side. */
function SideCapture({ state, side, capture, why }: SideCaptureProps): ReactElement {
  const { experiments, library } = useWorkbench();
  const menu = useRowMenu();
  const { id } = state.experiment;
  const captures = useWorkbenchState((all) => all.captures);
  const known = captures?.find((one) => one.id === capture.id);
  const name = known === undefined ? capture.name : shownName(known, captures ?? []);
  const other = otherSide(side);
  const open = (): void => void library.open([capture.id]);
  const remove = (): void => void experiments.change(id, { [side]: { remove: [capture.id] } });
  const move = (): void =>
    void experiments.change(id, {
      [side]: { remove: [capture.id] },
      [other]: { put: [{ id: capture.id, requests: capture.requests }] },
    });
  return (
    <li className="capture">
      <button
        type="button"
        className="side-row"
        title={why === null ? name : `${name}: ${WHY[why]}`}
        onClick={open}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Delete') return;
          event.preventDefault();
          remove();
        }}
        onContextMenu={menu.onContextMenu}
      >
        <span className={why === null ? 'ellipsis' : 'ellipsis missing'}>{name}</span>
        {why !== null && <span className="badge warn">{why}</span>}
      </button>
      <PlacedMenu
        title={name}
        place={menu}
        groups={() => [
          why === null ? [{ label: 'Open', hint: 'Enter', run: open }] : [],
          [
            { label: `Move to ${other}`, run: move },
            { label: `Remove from ${side}`, hint: 'Delete', run: remove },
          ],
        ]}
      />
    </li>
  );
}

const WHY: Readonly<Record<MissingCapture['why'], string>> = {
  trashed: 'it is in the trash; restore it with Undo or from its folder in .trash',
  damaged: 'it can’t be read; see the damaged rows of the library',
  missing: 'it is not in this library',
};
