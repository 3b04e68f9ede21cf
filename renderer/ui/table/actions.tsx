import type { TableLayout } from '#core/contract/settings-schema.ts';
import type { JSX } from 'react';
import { usePart } from '../parts.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import type { Column, CopyForm } from './table.types.ts';
import { IconButton } from '../buttons.tsx';

export interface TableActionsProps {
  readonly columns: readonly Column[];
  /** IDs of the visible columns. */
  readonly shownColumns: readonly string[];
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  /** Copies tab-separated text, or the rows as they are on screen. */
  readonly onCopyRows: (form: CopyForm | '') => void;
  /** If absent, rows can only be copied. */
  readonly onExportRows?: () => void;
}

interface TableButtonProps {
  readonly label: string;
  readonly title: string;
  /** Absent disables the button. */
  readonly onClick: (() => void) | undefined;
}

/** A button of a table's toolbar. */
export const TableButton = ({ label, title, onClick }: TableButtonProps): JSX.Element => (
  <button type="button" className="table-button" disabled={onClick === undefined} title={title} onClick={onClick}>
    {label}
  </button>
);

/** The end of a table's toolbar: its columns, and copying and exporting its rows. */
export function TableActions(props: TableActionsProps): JSX.Element {
  usePart('table.copy-rows', null, (form) => props.onCopyRows(form as CopyForm | ''));
  usePart(props.onExportRows === undefined ? null : 'table.export', null, props.onExportRows);
  return (
    <span className="table-actions">
      <ColumnsMenu all={props.columns} shown={props.shownColumns} layout={props.layout} onLayout={props.onLayout} />
      <IconButton
        icon="copy"
        label="Copy rows"
        title="Copy the selected rows, or all visible ones, as tab-separated text (Ctrl+C in the table: the selected ones)"
        onClick={() => props.onCopyRows('')}
      />
      {props.onExportRows !== undefined && (
        <IconButton icon="keep" label="Export CSV" title="Save the visible rows as CSV" onClick={props.onExportRows} />
      )}
    </span>
  );
}
