import { useId, type ReactElement, type ReactNode } from 'react';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly invalid?: boolean;
  readonly onChange: (value: string) => void;
}

export function PatternField({ label, value, placeholder, invalid = false, onChange }: TextProps): ReactElement {
  return (
    <label className="labelled">
      {label}
      <span className={invalid ? 'field invalid' : 'field'}>
        <input
          className="mono"
          aria-invalid={invalid}
          spellCheck={false}
          autoComplete="off"
          maxLength={MAX_PATTERN_LENGTH}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </span>
    </label>
  );
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

export function CheckField({ checked, onChange, children }: CheckProps): ReactElement {
  const id = useId();
  return (
    <span className="check-field">
      <input id={id} type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <label htmlFor={id}>{children}</label>
    </span>
  );
}
