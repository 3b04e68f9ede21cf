import type { ReactElement } from 'react';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { valueTypeText } from '../../state/value-type-text.ts';

interface ValueTypeFieldProps {
  /** Where no text beside it says what it is. */
  readonly label?: string;
}

/** Chooses what the view weighs. */
export function ValueTypeField({ label }: ValueTypeFieldProps): ReactElement {
  const view = useView();
  const { valueTypes } = view.profile;
  const chosen = useViewState((state) => state.selection.valueType);
  return (
    <select
      aria-label={label}
      value={chosen}
      disabled={valueTypes.length < 2}
      onChange={(event) => {
        view.select({ valueType: Number(event.target.value) as ValueTypeIndex });
      }}
    >
      {valueTypes.map(({ type, unit }, index) => (
        <option key={`${type} ${unit}`} value={index}>
          {valueTypeText(valueTypes, index)}
        </option>
      ))}
    </select>
  );
}
