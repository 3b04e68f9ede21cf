import type { ReactElement } from 'react';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { valueTypeText } from '../../state/value-type-text.ts';

interface ValueTypeFieldProps {
  /** Given if no text next to the field labels it. */
  readonly label?: string;
}

/** Selects the view's value type. */
export function ValueTypeField({ label }: ValueTypeFieldProps): ReactElement {
  const view = useView();
  const { valueTypes } = view.profile;
  const chosen = useViewState((state) => state.selection.valueType);
  return (
    <select
      aria-label={label}
      value={chosen}
      disabled={valueTypes.length < 2}
      onChange={(event) => view.select({ valueType: Number(event.target.value) as ValueTypeIndex })}
    >
      {valueTypes.map(({ type, unit }, index) => (
        <option key={`${type} ${unit}`} value={index}>
          {valueTypeText(valueTypes, index)}
        </option>
      ))}
    </select>
  );
}
