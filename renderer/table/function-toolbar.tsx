import { useMemo, type JSX, type KeyboardEvent } from 'react';
import { Icon } from '../shell/icons.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import type { FunctionTableProps } from './function-table.tsx';
import { ModulePicker } from './module-picker.tsx';
import { moduleRows } from './module-list.ts';
import type { Column } from './table.types.ts';

interface FunctionToolbarProps extends FunctionTableProps {
  readonly running: boolean;
  readonly refused: string | null;
  readonly hiddenCount: number;
  readonly hiddenSelf: number;
  readonly columns: readonly Column[];
  readonly shownColumns: readonly string[];
  readonly focusRows: () => void;
  readonly onCopyRows: () => void;
  readonly onExportRows: () => void;
}

/** What the table leaves out, and what becomes of the rest. */
export function FunctionToolbar(props: FunctionToolbarProps): JSX.Element {
  const { stats, texts, totalWeight, format, look, onLook } = props;
  const modules = useMemo(() => moduleRows(stats, texts), [stats, texts]);
  return (
    <div className="table-toolbar">
      <PatternField {...props} />
      {modules.length > 1 && (
        <ModulePicker
          modules={modules}
          hidden={look.hiddenModules}
          onHidden={(hiddenModules) => onLook({ hiddenModules })}
          totalWeight={totalWeight}
          format={format}
        />
      )}
      <output className="table-count">
        <CountText {...props} />
      </output>
      <span className="table-actions">
        <ColumnsMenu all={props.columns} shown={props.shownColumns} layout={props.layout} onLayout={props.onLayout} />
        <button
          type="button"
          className="icon-button"
          aria-label="Copy rows"
          title="Copy the chosen rows, or all that show, as tab-separated text (Ctrl+C in the table: the chosen ones)"
          onClick={props.onCopyRows}
        >
          <Icon name="copy" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Export CSV"
          title="Save the rows that show as CSV"
          onClick={props.onExportRows}
        >
          <Icon name="keep" />
        </button>
      </span>
    </div>
  );
}

function PatternField({ look, onLook, refused, running, focusRows }: FunctionToolbarProps): JSX.Element {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'Enter') focusRows();
    else if (event.key === 'Escape' && look.pattern !== '') onLook({ pattern: '' });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div className="table-pattern">
      <input
        type="text"
        aria-label="Filter functions"
        aria-invalid={refused !== null}
        aria-busy={running}
        placeholder="Filter functions: regex"
        title="A regular expression over function names; a capital letter makes case count"
        spellCheck={false}
        autoComplete="off"
        maxLength={10_000}
        value={look.pattern}
        onChange={(event) => onLook({ pattern: event.target.value })}
        onKeyDown={onKeyDown}
      />
      {refused !== null && (
        <div className="table-refused" role="alert">
          {refused}
        </div>
      )}
    </div>
  );
}

function CountText({ stats, totalWeight, format, hiddenCount, hiddenSelf }: FunctionToolbarProps): JSX.Element {
  const all = `${format.count(stats.length)} functions`;
  if (hiddenCount === 0) return <>{all}</>;
  return (
    <>
      {format.count(stats.length - hiddenCount)} of {all}
      <span className="dim">
        {' '}
        · {format.count(hiddenCount)} hidden with self {format.share(hiddenSelf, totalWeight)}
      </span>
    </>
  );
}
