import { useMemo, type JSX } from 'react';
import { countOf } from '../../format.ts';
import type { FunctionTableProps } from './functions.types.ts';
import { ModulePicker } from './module-picker.tsx';
import { moduleRows } from './module-list.ts';
import { PatternFilter } from './pattern-field.tsx';
import { TableActions, type TableActionsProps } from '../actions.tsx';

interface FunctionToolbarProps extends FunctionTableProps, TableActionsProps {
  readonly running: boolean;
  readonly refused: string | null;
  readonly hiddenCount: number;
  readonly hiddenSelf: number;
  readonly focusRows: () => void;
}

/** The filters of the function table, and the actions on its rows. */
export function FunctionToolbar(props: FunctionToolbarProps): JSX.Element {
  const { stats, texts, totalWeight, format, look, onLook } = props;
  const modules = useMemo(() => moduleRows(stats, texts), [stats, texts]);
  return (
    <div className="table-toolbar">
      <PatternFilter
        pattern={look.pattern}
        onPattern={(pattern) => onLook({ pattern })}
        running={props.running}
        refused={props.refused}
        focusRows={props.focusRows}
      />
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
      <TableActions {...props} />
    </div>
  );
}

function CountText({ stats, totalWeight, format, hiddenCount, hiddenSelf }: FunctionToolbarProps): JSX.Element {
  const all = countOf(stats.length, 'function');
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
