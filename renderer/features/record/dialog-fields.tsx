import type { ReactElement } from 'react';
import type { TargetRow } from '#core/contract/target.ts';
import { TextField, type TextFieldProps } from '../../ui/fields/labelled-fields.tsx';

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
      isWrong={wrongField === field && form[field] !== ''}
      onChange={(value) => {
        const change: Partial<Record<Field, string>> = {};
        change[field] = value;
        onChange(change);
      }}
      {...look}
    />
  );

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
