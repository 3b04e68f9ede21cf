import type { ReactElement } from 'react';

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
      <select
        value={value}
        onChange={(event) => {
          const chosen = options.find(([id]) => id === event.target.value);
          if (chosen !== undefined) onChoice(chosen[0]);
        }}
      >
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
