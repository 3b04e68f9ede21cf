import type { ReactElement } from 'react';
import { Select } from '../../ui/fields/select.tsx';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChoice: (value: Value) => void;
}

/** A labelled select. */
export function Choice<Value extends string>({ label, value, options, onChoice }: ChoiceProps<Value>): ReactElement {
  return (
    <label>
      {label}{' '}
      <Select value={value} options={options.map(([id, text]) => ({ value: id, label: text }))} onChange={onChoice} />
    </label>
  );
}
