import type { ReactElement, ReactNode } from 'react';

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: boolean;
  readonly onChange: (value: string) => void;
  readonly numeric?: boolean;
  readonly unit?: string;
  readonly placeholder?: string;
  /** Id of a datalist. */
  readonly list?: string;
  readonly wide?: boolean;
}

/** One text field of the record dialog's grid. */
export function TextField(props: TextFieldProps): ReactElement {
  const { label, value, wrong, onChange, numeric = false, unit, placeholder, list, wide = false } = props;
  return (
    <Labelled label={label} wide={wide}>
      <span className={wrong ? 'field invalid' : 'field'}>
        <input
          aria-label={label}
          value={value}
          aria-invalid={wrong}
          spellCheck={false}
          autoComplete="off"
          {...(numeric ? { inputMode: 'decimal' as const, className: 'mono' } : {})}
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(list === undefined ? {} : { list })}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
        {unit !== undefined && <span className="caption">{unit}</span>}
      </span>
    </Labelled>
  );
}

export function Labelled({
  label,
  wide,
  children,
}: {
  label: string;
  wide: boolean;
  children: ReactNode;
}): ReactElement {
  return (
    <label className={wide ? 'labelled wide' : 'labelled'}>
      {label}
      {children}
    </label>
  );
}

interface ChoiceProps {
  readonly checked: boolean;
  readonly label: string;
  readonly hint: string;
  readonly onChange: (checked: boolean) => void;
}

export function Choice({ checked, label, hint, onChange }: ChoiceProps): ReactElement {
  return (
    <label className="record-choice">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => {
          onChange(event.target.checked);
        }}
      />
      {label}
      <span className="dim">{hint}</span>
    </label>
  );
}
