import { useId, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';
import { Select, type SelectProps } from './select.tsx';

interface LabelledProps {
  readonly label: string;
  /** Takes the whole width of a grid. */
  readonly wide?: boolean | undefined;
  readonly children: ReactNode;
}

/** A field below its label. */
export const Labelled = ({ label, wide = false, children }: LabelledProps): ReactElement => (
  <label className={wide ? 'labelled wide' : 'labelled'}>
    {label}
    {children}
  </label>
);

type FieldProps = Omit<LabelledProps, 'children'>;

/** A labelled choice of one of several values. */
export const SelectField = <Value extends string>({
  label,
  wide,
  ...select
}: FieldProps & Omit<SelectProps<Value>, 'name'>): ReactElement => (
  <Labelled label={label} wide={wide}>
    <Select {...select} />
  </Labelled>
);

type InputAttribute =
  | 'aria-describedby'
  | 'autoCapitalize'
  | 'list'
  | 'maxLength'
  | 'onBlur'
  | 'onKeyDown'
  | 'placeholder'
  | 'spellCheck';

export interface TextFieldProps extends FieldProps, Pick<ComponentProps<'input'>, InputAttribute> {
  readonly value: string;
  readonly isWrong?: boolean;
  /** Uses the monospaced font, for code, commands and addresses. */
  readonly isMono?: boolean;
  readonly numeric?: boolean;
  readonly unit?: string;
  readonly onChange: (value: string) => void;
}

/** A labelled text field. */
export const TextField = (props: TextFieldProps): ReactElement => {
  const { label, wide, isWrong = false, isMono = false, numeric = false, unit, onChange, ...input } = props;
  return (
    <Labelled label={label} wide={wide}>
      <span className={isWrong ? 'field invalid' : 'field'}>
        <input
          className={isMono || numeric ? 'mono' : undefined}
          inputMode={numeric ? 'decimal' : undefined}
          aria-label={label}
          aria-invalid={isWrong}
          spellCheck={false}
          autoComplete="off"
          {...input}
          onChange={(event) => onChange(event.target.value)}
        />
        {unit !== undefined && <span className="caption">{unit}</span>}
      </span>
    </Labelled>
  );
};

export const MonoField = (props: Omit<TextFieldProps, 'isMono'>): ReactElement => <TextField {...props} isMono />;

export const PatternField = (props: Omit<TextFieldProps, 'isMono' | 'maxLength'>): ReactElement => (
  <TextField {...props} isMono maxLength={MAX_PATTERN_LENGTH} />
);

interface LinesFieldProps extends FieldProps {
  readonly value: string;
  readonly placeholder: string;
  readonly rows: number;
  readonly isWrong?: boolean;
  readonly onChange: (value: string) => void;
}

/** A labelled field for several lines of code, or for one entry per line. */
export const LinesField = ({ label, wide, isWrong = false, onChange, ...text }: LinesFieldProps): ReactElement => (
  <Labelled label={label} wide={wide}>
    <span className={isWrong ? 'field lines invalid' : 'field lines'}>
      <textarea
        {...text}
        className="mono"
        aria-invalid={isWrong}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  </Labelled>
);

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
