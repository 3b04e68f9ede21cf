import type { ReactElement } from 'react';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}

/** A text field in the monospaced font. */
export function Field({ label, value, placeholder, onChange }: FieldProps): ReactElement {
  return (
    <label className="labelled">
      {label}
      <span className="field">
        <input
          className="mono"
          value={value}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      </span>
    </label>
  );
}
