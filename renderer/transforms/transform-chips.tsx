import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { NamedTransform } from '#core/analyze/named-transform.ts';
import { useView, useViewState } from '../profile/profile-context.ts';
import { countOf, format } from '../shell/format.ts';
import { Icon } from '../shell/icons.tsx';
import { useWorkbench } from '../shell/workbench-context.ts';
import { RangeChip } from '../time/range-chip.tsx';
import { useSeen } from './use-seen.ts';
import { ChipMenu } from './chip-menu.tsx';
import type { ChipMenuRequest } from './chip-menu.tsx';
import { chipEffects } from './chip-effect.ts';
import { TransformChip } from './transform-chip.tsx';
import { moved, removed, toggled } from './transform-list.ts';
import { useChipDrag } from './use-chip-drag.ts';
import './transforms.css';

/** Gets the focus where no chip is left. */
export const ADD_BUTTON_ID = 'add-transform';
const HINT_ID = 'chip-hint';

/** What changes the view, in the order it is applied: each can be switched off, moved, edited and taken away. */
export function TransformChips(): ReactElement | null {
  const view = useView();
  const { showDialog } = useWorkbench();
  const transforms = useViewState((state) => state.transforms);
  const timeRange = useViewState((state) => state.selection.timeRange);
  const analysis = useViewState((state) => state.analysis);
  // Otherwise the analysis is of an earlier list.
  const current = useViewState((state) => !state.analysing && state.problem === null);
  const { unit } = useSeen(view);
  const list = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  /** The chip that gets the focus once the list has changed. */
  const focusNext = useRef<number | null>(null);
  const [menu, setMenu] = useState<ChipMenuRequest | null>(null);
  const [announced, setAnnounced] = useState('');
  const move = (from: number, to: number): void => {
    const place = Math.max(0, Math.min(transforms.length - 1, to));
    if (place === from) return;
    view.setTransforms(moved(transforms, from, place));
    setActive(place);
    setAnnounced(`Now ${place + 1} of ${transforms.length}`);
  };
  const drag = useChipDrag(list, move);
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    const chip = list.current?.querySelector<HTMLElement>(`[data-chip="${focusNext.current}"] .chip-text`);
    (chip ?? document.querySelector<HTMLElement>(`#${ADD_BUTTON_ID}`))?.focus();
    focusNext.current = null;
  });

  if (transforms.length === 0 && timeRange === null) return null;
  const edit = (index: number): void => {
    showDialog({ kind: 'transform', draft: { view, index, form: {} } });
  };
  const remove = (index: number): void => {
    view.setTransforms(removed(transforms, index));
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      const to = Math.max(0, Math.min(transforms.length - 1, index + step));
      focusNext.current = to;
      if (event.altKey) move(index, to);
      else setActive(to);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      focusNext.current = Math.min(index, transforms.length - 2);
      setActive(Math.max(0, focusNext.current));
      remove(index);
    } else if (event.key === ' ') view.setTransforms(toggled(transforms, index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const effects = !current || analysis === null ? null : chipEffects(transforms, analysis, unit);
  const focusable = Math.min(active, transforms.length - 1);
  return (
    <div className="transform-bar">
      <ul ref={list} className="chips" aria-label="Applied to this view">
        <RangeChip />
        {transforms.map((transform, index) => (
          <TransformChip
            key={keyOf(transforms, index)}
            transform={transform}
            index={index}
            effect={effects?.[index] ?? null}
            focusable={index === focusable}
            hintId={HINT_ID}
            drag={drag.handlers(index)}
            drop={drag.place?.index === index ? drag.place.side : undefined}
            onFocus={() => {
              setActive(index);
            }}
            onToggle={() => {
              view.setTransforms(toggled(transforms, index));
            }}
            onEdit={() => {
              edit(index);
            }}
            onRemove={() => {
              remove(index);
            }}
            onKeyDown={(event) => {
              onKeyDown(event, index);
            }}
            onMenu={(point) => {
              setMenu({ index, point });
            }}
          />
        ))}
        {analysis !== null && analysis.hidden > 0 && (
          <li className="dim hidden-weight" title="Weight that the steps before leave out">
            {format.value(analysis.hidden, unit)} left out
          </li>
        )}
      </ul>
      <button
        type="button"
        className="icon-button"
        aria-label="More about transforms"
        title={`${countOf(transforms.length, 'transform')}: switch all, copy, export, remove`}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setMenu({ index: null, point: { x: left, y: bottom + 2 } });
        }}
      >
        <Icon name="more" />
      </button>
      <span id={HINT_ID} className="sr-only">
        Enter edits, Space switches on or off, Alt and arrows move, Delete removes
      </span>
      <output className="sr-only">{announced}</output>
      {menu !== null && (
        <ChipMenu
          view={view}
          request={menu}
          onEdit={edit}
          onMove={move}
          onClose={() => {
            setMenu(null);
          }}
        />
      )}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The same for a transform wherever it stands; equal ones are told apart by their order. */
function keyOf(transforms: readonly NamedTransform[], index: number): string {
  const text = (one: NamedTransform): string => JSON.stringify({ ...one, enabled: true });
  const own = text(transforms[index]!);
  const before = transforms.slice(0, index).filter((one) => text(one) === own).length;
  return `${before} ${own}`;
}
