import { useId, type ReactElement } from 'react';

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly title?: string }[];
  readonly onChange: (value: T) => void;
}

/** A choice between a few options side by side: radio buttons drawn as segments. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>): ReactElement {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="sr-only">{label}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value} title={option.title}>
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
