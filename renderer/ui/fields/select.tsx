import type { ReactElement } from 'react';
import { Icon } from '../icons.tsx';

interface SelectProps<Value extends string> {
  /** The accessible name, where no label surrounds the field. */
  readonly name?: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** A field to choose one of several values from a menu. */
export function Select<Value extends string>({ name, value, options, onChange }: SelectProps<Value>): ReactElement {
  return (
    <span className="select">
      <select
        value={value}
        {...(name === undefined ? {} : { 'aria-label': name })}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}
