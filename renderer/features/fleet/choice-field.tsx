import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/buttons.tsx';
import { SelectField } from '../../ui/fields/labelled-fields.tsx';

interface ChoiceFieldProps<T> {
  readonly label: string;
  /** What stands for no choice: `All hosts`. */
  readonly all: string;
  readonly options: { readonly rows: readonly T[]; readonly more: number };
  readonly textOf: (value: T) => string;
  readonly chosen: readonly T[];
  readonly onChange: (chosen: T[]) => void;
}

const LONGEST = 80;

/** A menu that adds values to a list; each value of the list can be removed. */
export function ChoiceField<T>(props: ChoiceFieldProps<T>): ReactElement {
  const { label, all, options, chosen, onChange } = props;
  const textOf = (value: T): string => visibleText(props.textOf(value).slice(0, LONGEST)) || '(none)';
  const has = (value: T): boolean => chosen.some((one) => props.textOf(one) === props.textOf(value));
  // Values are untrusted and may be equal to anything, so options go by their place.
  const places = options.rows.flatMap((value, place) =>
    has(value) ? [] : [{ value: String(place), label: textOf(value) }],
  );
  const more = options.more > 0 ? [{ value: '-', label: `${options.more} more are not listed` }] : [];
  return (
    <div className="fleet-choice">
      <SelectField
        label={label}
        value=""
        options={[{ value: '', label: chosen.length === 0 ? all : 'Add…' }, ...places, ...more]}
        onChange={(place) => {
          const value = options.rows[Number(place)];
          if (place !== '' && value !== undefined) onChange([...chosen, value]);
        }}
      />
      {chosen.map((value, place) => (
        <Button
          key={place}
          className="fleet-chosen"
          aria-label={`Remove ${label.toLowerCase()} ${textOf(value)}`}
          onClick={() => onChange(chosen.filter((_, other) => other !== place))}
        >
          <span className="ellipsis">{textOf(value)}</span>
          <Icon name="close" />
        </Button>
      ))}
    </div>
  );
}
