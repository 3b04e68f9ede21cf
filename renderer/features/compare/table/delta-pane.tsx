import { useMemo, useRef, useState, type JSX } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { useWorkbench } from '../../../state/workbench-context.ts';
import { useNotes, useRowPins } from '../../../state/notes/context.ts';
import { rowPins } from '../../../state/notes/pins.ts';
import { toProblem } from '../../../state/problem.ts';
import { functionTexts } from '../../../state/function-text.ts';
import { useOpenNew } from '../../panes/open-new.ts';
import { useTableLayout } from '../../panes/use-table-layout.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { saveCsv } from '../../../state/transforms/export-file.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { CompareFrameMenu, zoomToHeaviest, type FrameMenuRequest } from '../graphs/frame-menu.tsx';
import { compareTitle } from '../../../state/compare/title.ts';
import { deltaNotes } from './export.ts';
import { useCopyTable } from '../../reports/use-copy-table.ts';
import { DeltaTable, type DeltaRequests } from './delta-table.tsx';
import { useValueText } from '../../../state/comparison-texts.ts';

const copy = (text: string): void => void copyText(text);

/** The delta table of the enclosing comparison; selecting a row selects its frames in the graphs. */
export function CompareTable({ compared }: { readonly compared: Compared }): JSX.Element {
  const tab = useCompare();
  const { store } = useWorkbench();
  const copyTable = useCopyTable(tab);
  const openNew = useOpenNew(tab);
  const pane = useRef<HTMLDivElement>(null);
  useRowPins(pane);
  const narrow = useIsNarrow(pane);
  const [menu, setMenu] = useState<FrameMenuRequest | null>(null);
  const look = useCompareState((state) => state.look.table);
  const picked = useCompareState((state) => state.picked);
  const search = useCompareState((state) => state.search);
  const rules = useCompareState((state) => state.options.rules);
  const { functions, revision } = compared;
  const { pins } = useNotes();
  const texts = useMemo(() => ({ ...functionTexts(functions), ...rowPins(pins) }), [functions, pins]);
  const requests = useMemo<DeltaRequests>(
    () => ({
      match: (pattern) => tab.ask('filter', { revision, pattern }),
      explain: (error) => toProblem(error).message,
      sums: (chosen) => tab.ask('sums', { revision, functions: chosen }),
      ranks: (by) => tab.ask('text-ranks', { revision, by }),
    }),
    [tab, revision],
  );
  return (
    <div ref={pane} className="table-pane fill">
      <DeltaTable
        compared={compared}
        texts={texts}
        values={useValueText(compared)}
        narrow={narrow}
        matches={search.status === 'matched' && search.revision === revision ? search.matches.flags : null}
        selected={picked?.func ?? null}
        onSelect={(func) => {
          if (picked?.func !== func) tab.pick({ func: func as FunctionIndex, node: null });
        }}
        onOpenNew={(func) => openNew?.({ func: func as FunctionIndex, node: null })}
        onActivate={(func) => void zoomToHeaviest(tab, revision, func as FunctionIndex)}
        onContextMenu={(row, point) => {
          const func = row as FunctionIndex;
          void tab.ask('heaviest', { revision, func }).then((node) => {
            if (node !== null) setMenu({ frame: { func, node }, point });
          });
        }}
        onHover={(func) => tab.hover(func === null ? null : { func: func as FunctionIndex, node: null })}
        look={look}
        onLook={tab.lookAtTable}
        {...useTableLayout('compare')}
        requests={requests}
        onCopy={copy}
        onCopyAs={(form, table, filters) => {
          const name = compareTitle(tab.store.get(), store.get().captures);
          copyTable(form, table, () => Promise.resolve(deltaNotes(name, compared, rules, filters)));
        }}
        onExport={(csv, rows) => {
          const name = compareTitle(tab.store.get(), store.get().captures);
          saveCsv(csv(deltaNotes(name, compared, rules, rows)), name, 'delta');
        }}
      />
      {menu !== null && <CompareFrameMenu compared={compared} request={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}
