import type { ReactElement } from 'react';

interface MonoFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly isWrong?: boolean;
  readonly onChange: (value: string) => void;
}

/** A text field in the monospaced font, for commands and addresses. */
export function MonoField({ label, value, placeholder, isWrong = false, onChange }: MonoFieldProps): ReactElement {
  return (
    <label className="labelled">
      {label}
      <span className={isWrong ? 'field invalid' : 'field'}>
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
