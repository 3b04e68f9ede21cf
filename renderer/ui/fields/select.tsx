import type { ReactElement } from 'react';
import { Icon } from '../icons.tsx';

interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Heading above consecutive options with the same heading. */
  readonly heading?: string;
}

export interface SelectProps<Value extends string> {
  /** The accessible name, needed if no label encloses the field and it has no caption. */
  readonly name?: string;
  /** Shown within the field, before the value. */
  readonly caption?: string;
  readonly title?: string;
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A field to choose one of several values from a menu. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactElement {
  const { name, caption, title, value, options, onChange } = props;
  const Box = caption === undefined ? 'span' : 'label';
  return (
    <Box className="select" title={title}>
      {caption !== undefined && <span className="caption">{caption}</span>}
      <select
        value={value}
        aria-label={name}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {runsOf(options).map((run) =>
          run[0]?.heading === undefined ? (
            run.map(optionOf)
          ) : (
            <optgroup key={run[0].heading} label={run[0].heading}>
              {run.map(optionOf)}
            </optgroup>
          ),
        )}
      </select>
      <Icon name="chevron-down" />
    </Box>
  );
}

const optionOf = ({ value, label }: SelectOption<string>): ReactElement => (
  <option key={value} value={value}>
    {label}
  </option>
);

/** Splits options where the heading changes. */
function runsOf(options: readonly SelectOption<string>[]): SelectOption<string>[][] {
  const runs: SelectOption<string>[][] = [];
  for (const option of options) {
    const run = runs.at(-1);
    if (run?.[0]?.heading === option.heading && run !== undefined) run.push(option);
    else runs.push([option]);
  }
  return runs;
}
