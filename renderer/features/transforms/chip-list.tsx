import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { countOf } from '../../ui/format.ts';
import { useParts } from '../../ui/parts.tsx';
import { ChipMenu, type ChipMenuRequest, type ChipMenuWays } from './chip-menu.tsx';
import type { ChipEffect } from '../../state/transforms/chip-effect.ts';
import { TransformChip } from './chip.tsx';
import { moved, removed, toggled } from '../../state/transforms/list.ts';
import type { TransformTarget } from '../../state/transforms/target.ts';
import { useChipDrag } from './use-chip-drag.ts';
import './transforms.css';
import { IconButton } from '../../ui/buttons.tsx';
import { below } from '../../ui/menu/menu-point.ts';

const HINT_ID = 'chip-hint';

interface ChipListProps {
  readonly label: string;
  readonly target: TransformTarget;
  readonly transforms: readonly NamedTransform[];
  /** By transform; null while unknown. */
  readonly effects: readonly ChipEffect[] | null;
  /** Further actions in a chip's menu. */
  readonly ways: ChipMenuWays;
  /** Shown before the chips (null for nothing), and after them, for what they hide. */
  readonly start: ReactNode;
  readonly end: ReactNode;
}

/** Transforms in order, each of which can be disabled, moved, edited and removed. Hidden if there are none. */
export function ChipList(props: ChipListProps): ReactElement | null {
  const { target, transforms, effects, ways } = props;
  const parts = useParts();
  const list = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  /** The chip that gets the focus after the list has changed. */
  const focusNext = useRef<number | null>(null);
  const [menu, setMenu] = useState<ChipMenuRequest | null>(null);
  const [announced, setAnnounced] = useState('');
  const move = (from: number, to: number): void => {
    const place = Math.max(0, Math.min(transforms.length - 1, to));
    if (place === from) return;
    target.setTransforms(moved(transforms, from, place));
    setActive(place);
    setAnnounced(`Now ${place + 1} of ${transforms.length}`);
  };
  const drag = useChipDrag(list, move);
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    const chip = list.current?.querySelector<HTMLElement>(`[data-chip="${focusNext.current}"] .chip-text`);
    if (chip) chip.focus();
    else parts?.focus('add-transform');
    focusNext.current = null;
  });

  if (transforms.length === 0 && props.start === null) return null;
  const remove = (index: number): void => target.setTransforms(removed(transforms, index));
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
    } else if (event.key === ' ') target.setTransforms(toggled(transforms, index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const focusable = Math.min(active, transforms.length - 1);
  const menuAt = (index: number) => (point: ChipMenuRequest['point']) => setMenu({ index, point });
  return (
    <div className="transform-bar">
      <ul ref={list} className="chips" aria-label={props.label}>
        {props.start}
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
            onFocus={() => setActive(index)}
            onToggle={() => target.setTransforms(toggled(transforms, index))}
            onEdit={(point) => {
              if (ways.edit === null) menuAt(index)(point);
              else ways.edit(index);
            }}
            onRemove={() => remove(index)}
            onKeyDown={(event) => onKeyDown(event, index)}
            onMenu={menuAt(index)}
          />
        ))}
        {props.end}
      </ul>
      <IconButton
        icon="more"
        label="More about transforms"
        title={`${countOf(transforms.length, 'transform')}: switch all, copy, export, remove`}
        onClick={(event) => setMenu({ index: null, point: below(event.currentTarget, 2) })}
      />
      <span id={HINT_ID} className="sr-only">
        {ways.edit === null ? 'Enter opens its menu' : 'Enter edits'}, Space switches on or off, Alt and arrows move,
        Delete removes
      </span>
      <output className="sr-only">{announced}</output>
      {menu !== null && (
        <ChipMenu target={target} request={menu} ways={ways} onMove={move} onClose={() => setMenu(null)} />
      )}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Returns a key that stays with a transform when it moves; equal ones are distinguished by their order. */
function keyOf(transforms: readonly NamedTransform[], index: number): string {
  const text = (one: NamedTransform): string => JSON.stringify({ ...one, enabled: true });
  const own = text(transforms[index]!);
  const before = transforms.slice(0, index).filter((one) => text(one) === own).length;
  return `${before} ${own}`;
}
