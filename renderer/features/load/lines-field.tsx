import type { ReactElement } from 'react';

interface LinesFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly rows: number;
  readonly onChange: (value: string) => void;
}

/** A field for one entry per line. */
export const LinesField = ({ label, value, placeholder, rows, onChange }: LinesFieldProps): ReactElement => (
  <label className="labelled">
    {label}
    <span className="field lines">
      <textarea
        className="mono"
        rows={rows}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  </label>
);
