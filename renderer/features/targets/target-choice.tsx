import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { Icon } from '../../ui/icons.tsx';
import './targets.css';

interface TargetChoiceProps {
  readonly targets: readonly TargetRow[];
  /** The target's ID. */
  readonly chosen: string;
  readonly disabled?: boolean;
  readonly onChoose: (id: string) => void;
}

/** Selects one of the targets. */
export function TargetChoice({ targets, chosen, disabled = false, onChoose }: TargetChoiceProps): ReactElement {
  return (
    <label className="target-select">
      <span className="caption">target</span>
      <span className="select">
        <select data-first-focus value={chosen} disabled={disabled} onChange={(event) => onChoose(event.target.value)}>
          {targets.map(({ id, name }) => (
            <option key={id} value={id}>
              {visibleText(name)}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </label>
  );
}
