import type { JSX } from 'react';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import { count, countOf, format } from '../../../ui/format.ts';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { ModulePicker } from '../../../ui/table/functions/module-picker.tsx';
import type { ModuleRow } from '../../../ui/table/functions/module-list.ts';
import { PatternFilter } from '../../../ui/table/functions/pattern-field.tsx';
import { TableActions, type TableActionsProps } from '../../../ui/table/actions.tsx';
import { SHOWN_ROWS, type CompareTableLook, type ShownRows } from '../../../state/compare/compare.types.ts';

interface DeltaToolbarProps extends TableActionsProps {
  readonly look: CompareTableLook;
  readonly onLook: (change: Partial<CompareTableLook>) => void;
  readonly running: boolean;
  readonly refused: string | null;
  readonly counts: ReadonlyMap<ShownRows, number>;
  readonly shown: number;
  readonly modules: readonly ModuleRow[];
  /** Combined weight of both sides. */
  readonly totalWeight: number;
  readonly focusRows: () => void;
}

const SHOWN_TEXTS: Readonly<Record<ShownRows, string>> = {
  all: 'all',
  changed: 'grew or shrank',
  grew: 'grew',
  shrank: 'shrank',
  suggestive: VERDICT_WORDS.suggestive,
  new: 'new',
  removed: 'gone',
};

const MEASURES = [
  { value: 'total', label: 'Total', title: 'By the stacks that contain a function' },
  { value: 'self', label: 'Self', title: 'By the stacks that end in a function' },
] as const;

const TABLE_FORMAT = { count, share: format.share };

/** The filters of the delta table, its weight, and the actions on its rows. */
export function DeltaToolbar(props: DeltaToolbarProps): JSX.Element {
  const { look, onLook, modules, counts, shown } = props;
  const all = counts.get('all') ?? 0;
  return (
    <div className="table-toolbar delta-toolbar">
      <Segments label="Weight" value={look.measure} options={MEASURES} onChange={(measure) => onLook({ measure })} />
      <PatternFilter
        pattern={look.pattern}
        onPattern={(pattern) => onLook({ pattern })}
        running={props.running}
        refused={props.refused}
        focusRows={props.focusRows}
      />
      <Select
        caption="show"
        title="By the verdict for the selected weight; new and gone by the sides on which the function occurs"
        value={look.show}
        options={SHOWN_ROWS.map((show) => ({
          value: show,
          label: `${SHOWN_TEXTS[show]} (${count(counts.get(show) ?? 0)})`,
        }))}
        onChange={(show) => onLook({ show })}
      />
      {modules.length > 1 && (
        <ModulePicker
          modules={modules}
          hidden={look.hiddenModules}
          onHidden={(hiddenModules) => onLook({ hiddenModules })}
          totalWeight={props.totalWeight}
          format={TABLE_FORMAT}
        />
      )}
      <output className="table-count">
        {shown === all ? countOf(all, 'function') : `${count(shown)} of ${countOf(all, 'function')}`}
      </output>
      <TableActions {...props} />
    </div>
  );
}
