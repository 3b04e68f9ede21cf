import type { KeyboardEvent, ReactElement } from 'react';
import { describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { kindRow } from '../../state/transforms/kinds.ts';
import type { ChipEffect } from '../../state/transforms/chip-effect.ts';
import type { DragHandlers } from './use-chip-drag.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { below } from '../../ui/menu/menu-point.ts';

interface ChipProps {
  readonly transform: NamedTransform;
  readonly index: number;
  /** Null while unknown. */
  readonly effect: ChipEffect | null;
  /** True for the one chip of the list that Tab reaches. */
  readonly focusable: boolean;
  readonly hintId: string;
  readonly drag: DragHandlers;
  /** The side at which the dragged chip would be dropped. */
  readonly drop: 'before' | 'after' | undefined;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
  readonly onEdit: (point: { x: number; y: number }) => void;
  readonly onRemove: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onMenu: (point: { x: number; y: number }) => void;
}

export function TransformChip(props: ChipProps): ReactElement {
  const { transform, effect, index, drag } = props;
  const text = describeTransform(transform);
  const state = transform.enabled ? (effect?.nothing === true ? ' nothing' : '') : ' off';
  return (
    <li
      className={`chip transform-chip${state}`}
      data-chip={index}
      data-drop={props.drop}
      title={[text, kindRow(transform.kind).does, effect?.title].filter(Boolean).join('\n')}
    >
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Apply ${text}`}
        checked={transform.enabled}
        onChange={props.onToggle}
      />
      <button
        type="button"
        className="chip-text"
        tabIndex={props.focusable ? 0 : -1}
        aria-describedby={props.hintId}
        onFocus={props.onFocus}
        onClick={(event) => props.onEdit(below(event.currentTarget))}
        onKeyDown={props.onKeyDown}
        onContextMenu={(event) => {
          event.preventDefault();
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          const byKey = event.clientX === 0 && event.clientY === 0;
          props.onMenu(byKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY });
        }}
        {...drag}
      >
        <span className="ellipsis">{text}</span>
        {effect !== null && <span className="chip-effect mono">{effect.text}</span>}
      </button>
      <IconButton icon="close" tabIndex={-1} label={`Remove ${text}`} onClick={props.onRemove} />
    </li>
  );
}
