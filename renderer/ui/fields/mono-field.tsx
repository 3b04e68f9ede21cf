import type { ComponentProps, ReactElement } from 'react';

interface MonoFieldProps extends Pick<ComponentProps<'input'>, 'maxLength' | 'onBlur' | 'onKeyDown'> {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly isWrong?: boolean;
  readonly onChange: (value: string) => void;
}

/** A text field in the monospaced font, for commands and addresses. */
export function MonoField({ label, isWrong = false, onChange, ...rest }: MonoFieldProps): ReactElement {
  return (
    <label className="labelled">
      {label}
      <span className={isWrong ? 'field invalid' : 'field'}>
        <input
          className="mono"
          aria-invalid={isWrong}
          {...rest}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      </span>
    </label>
  );
}
