import type { TableLayout } from '#core/contract/settings-schema.ts';
import type { JSX } from 'react';
import { PopoverButton } from '../menu/popover-button.tsx';
import { withColumn } from './grid/column-widths.ts';
import { OWN_LAYOUT, type Column } from './table.types.ts';
import { LinkButton } from '../buttons.tsx';

interface ColumnsMenuProps {
  /** The first column is always shown. */
  readonly all: readonly Column[];
  /** IDs of the visible columns, in order. */
  readonly shown: readonly string[];
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
}

/** A menu that selects a table's columns and their order. */
export function ColumnsMenu({ all, shown, layout, onLayout }: ColumnsMenuProps): JSX.Element {
  const byId = new Map(all.map((column) => [column.id, column]));
  const hidden = all.filter(({ id }) => !shown.includes(id));
  const change = (id: string, what: Parameters<typeof withColumn>[2]): void => {
    onLayout({ ...layout, columns: withColumn(shown, id, what) });
  };
  return (
    <PopoverButton className="table-button" face="Columns" label="Columns of the table" part="table.columns">
      {() => (
        <>
          <ul className="columns-list">
            {shown.map((id, index) => (
              <li key={id}>
                <label>
                  <input type="checkbox" checked disabled={index === 0} onChange={() => change(id, 'hide')} />
                  {byId.get(id)?.header}
                </label>
                {index > 0 && (
                  <>
                    <MoveButton label={`Move ${byId.get(id)?.header} left`} text="↑" onClick={() => change(id, -1)} />
                    <MoveButton label={`Move ${byId.get(id)?.header} right`} text="↓" onClick={() => change(id, 1)} />
                  </>
                )}
              </li>
            ))}
            {hidden.map(({ id, header }) => (
              <li key={id}>
                <label>
                  <input type="checkbox" checked={false} onChange={() => change(id, 'show')} />
                  {header}
                </label>
              </li>
            ))}
          </ul>
          <LinkButton className="columns-reset" onClick={() => onLayout(OWN_LAYOUT)}>
            Reset columns and widths
          </LinkButton>
        </>
      )}
    </PopoverButton>
  );
}

function MoveButton({ label, text, onClick }: { label: string; text: string; onClick: () => void }): JSX.Element {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      {text}
    </button>
  );
}
