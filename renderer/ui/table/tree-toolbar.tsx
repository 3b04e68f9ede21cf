import type { JSX } from 'react';
import type { TableLayout } from '#core/contract/settings.ts';
import { TableActions } from './table-actions.tsx';
import type { Column } from './table.types.ts';

interface TreeToolbarProps {
  readonly columns: readonly Column[];
  readonly shownColumns: readonly string[];
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  readonly hasMatches: boolean;
  readonly onMatch: (step: 1 | -1) => void;
  readonly onHotPath: () => void;
  readonly onOpenBelow: () => void;
  readonly onCloseAll: () => void;
  readonly onCopyRows: () => void;
  readonly countText: string;
}

/** What opens and closes many rows at a time. */
export function TreeToolbar(props: TreeToolbarProps): JSX.Element {
  return (
    <div className="table-toolbar">
      <Button
        label="Hot path"
        title="Expand the heaviest path below the selected row (Shift+→)"
        onClick={props.onHotPath}
      />
      <Button
        label="Expand below"
        title="Expand everything below the selected row (*, or Alt+→)"
        onClick={props.onOpenBelow}
      />
      <Button label="Collapse all" title="Collapse all rows but the first" onClick={props.onCloseAll} />
      {props.hasMatches && (
        <>
          <Button
            label="‹ Match"
            title="Previous match, also in collapsed rows (Shift+F3)"
            onClick={() => props.onMatch(-1)}
          />
          <Button label="Match ›" title="Next match, also in collapsed rows (F3)" onClick={() => props.onMatch(1)} />
        </>
      )}
      <output className="table-count">{props.countText}</output>
      <TableActions {...props} />
    </div>
  );
}

function Button({ label, title, onClick }: { label: string; title: string; onClick: () => void }): JSX.Element {
  return (
    <button type="button" className="table-button" title={title} onClick={onClick}>
      {label}
    </button>
  );
}
