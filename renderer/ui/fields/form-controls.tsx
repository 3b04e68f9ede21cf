import { useId, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';
import { MonoField } from './mono-field.tsx';

type PatternProps = Omit<ComponentProps<typeof MonoField>, 'maxLength'>;

export const PatternField = (props: PatternProps): ReactElement => (
  <MonoField {...props} maxLength={MAX_PATTERN_LENGTH} />
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
