import type { ReactElement, ReactNode } from 'react';
import type { TargetRow } from '#core/contract/target.ts';

/** Properties of a collector's page in the record dialog. */
export interface PageProps<Form> {
  readonly form: Form;
  readonly rows: readonly TargetRow[];
  readonly wrongField: string | null;
  readonly onChange: (change: Partial<Form>) => void;
}

/** Returns a function that renders a text field of the form; an invalid field is marked unless it is empty. */
export const textFields =
  <Field extends string>({ form, wrongField, onChange }: Omit<PageProps<Record<Field, string>>, 'rows'>) =>
  (field: Field, label: string, look: Partial<TextFieldProps>): ReactElement => (
    <TextField
      label={label}
      value={form[field]}
      wrong={wrongField === field && form[field] !== ''}
      onChange={(value) => {
        const change: Partial<Record<Field, string>> = {};
        change[field] = value;
        onChange(change);
      }}
      {...look}
    />
  );

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: boolean;
  readonly onChange: (value: string) => void;
  readonly numeric?: boolean;
  readonly unit?: string;
  readonly placeholder?: string;
  /** ID of a datalist. */
  readonly list?: string;
  readonly wide?: boolean;
}

/** A text field in the record dialog's grid. */
function TextField(props: TextFieldProps): ReactElement {
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
          onChange={(event) => onChange(event.target.value)}
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
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
      <span className="dim">{hint}</span>
    </label>
  );
}
