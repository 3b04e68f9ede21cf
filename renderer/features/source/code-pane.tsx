import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { copyText } from '../../ui/copy-text.ts';
import { CodeList } from '../../ui/source/code-list.tsx';
import { jumpTarget, tableText, type CodeTable } from '../../ui/source/source-rows.ts';
import { Button, IconButton } from '../../ui/buttons.tsx';

interface CodePaneProps {
  readonly label: string;
  readonly table: CodeTable;
  /** Describes the code in one line. */
  readonly caption: string;
  readonly children?: ReactNode;
}

/** Code with its weights, starting at the hottest row. */
export function CodePane({ label, table, caption, children }: CodePaneProps): ReactElement {
  const id = useId();
  const [chosen, choose] = useState({ table, row: table.hottest });
  const active = chosen.table === table ? chosen.row : table.hottest;
  const setActive = (row: number): void => choose({ table, row });
  return (
    <>
      <div className="source-bar">
        <span className="source-caption mono ellipsis" title={visibleText(caption)}>
          {visibleText(caption)}
        </span>
        {children}
        <Button
          disabled={table.hottest < 0}
          onClick={() => {
            setActive(table.hottest);
            document.getElementById(id)?.focus();
          }}
        >
          Hottest
        </Button>
        <IconButton icon="copy" label="Copy all rows" onClick={() => void copyText(tableText(table))} />
      </div>
      <CodeList
        id={id}
        label={label}
        table={table}
        active={active}
        onActive={setActive}
        onOpen={(row) => {
          const target = jumpTarget(table, row);
          if (target >= 0) setActive(target);
        }}
      />
    </>
  );
}
