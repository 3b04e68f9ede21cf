import type { ReactElement } from 'react';

interface RenameFieldProps {
  readonly label: string;
  readonly name: string;
  readonly maxLength?: number;
  /** Called with a name that is neither empty nor the old one. */
  readonly onRename: (name: string) => void;
  readonly onDone: () => void;
}

/** A field in place of a row's name: Enter and leaving it rename, Escape keeps the name. */
export function RenameField({ label, name, maxLength = 300, onRename, onDone }: RenameFieldProps): ReactElement {
  const save = (value: string): void => {
    const next = value.trim();
    if (next !== '' && next !== name) onRename(next);
    onDone();
  };
  return (
    <input
      className="rename-field"
      aria-label={label}
      defaultValue={name}
      maxLength={maxLength}
      ref={(field) => {
        if (field !== null && document.activeElement !== field) {
          field.focus();
          field.select();
        }
      }}
      onBlur={(event) => save(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') save(event.currentTarget.value);
        else if (event.key === 'Escape') onDone();
      }}
    />
  );
}
