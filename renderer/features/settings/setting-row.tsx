import { useId, type ReactElement } from 'react';
import { Icon } from '../../ui/icons.tsx';

interface Choice<T> {
  readonly value: T;
  readonly label: string;
}

interface SelectSettingProps<T extends string | number> {
  readonly label: string;
  readonly hint?: string;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
}

/** A choice between several options; applies immediately. */
export function SelectSetting<T extends string | number>(props: SelectSettingProps<T>): ReactElement {
  const id = useId();
  const { value, choices, onChange } = props;
  // A value from the file that is not among the choices is kept.
  const shown = choices.some((choice) => choice.value === value)
    ? choices
    : [{ value, label: String(value) }, ...choices];
  return (
    <div className="setting">
      <label htmlFor={id}>
        {props.label}
        {props.hint !== undefined && <small>{props.hint}</small>}
      </label>
      <span className="select">
        <select
          id={id}
          value={String(value)}
          onChange={(event) => {
            const chosen = shown.find((choice) => String(choice.value) === event.target.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {shown.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </div>
  );
}

interface CheckSettingProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export function CheckSetting({ label, hint, value, onChange }: CheckSettingProps): ReactElement {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </label>
      <input id={id} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
    </div>
  );
}
