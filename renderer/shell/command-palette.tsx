import { useMemo, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { listCommands, matchCommands } from './commands.ts';
import type { Command } from './commands.ts';
import { Dialog } from './dialog.tsx';
import { rowId, VirtualList } from './virtual-list.tsx';
import { useWorkbench } from './workbench-context.ts';

const ROW_PX = 28;
const LIST_ID = 'palette-list';

export function CommandPalette(): ReactElement {
  const workbench = useWorkbench();
  const commands = useMemo(() => listCommands(workbench), [workbench]);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const found = useMemo(() => matchCommands(commands, query), [commands, query]);
  const at = Math.min(active, found.length - 1);
  const close = (): void => {
    workbench.showDialog(null);
  };
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(found.length - 1, at + step)));
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Commands" className="palette" onClose={close}>
      <input
        className="palette-field"
        role="combobox"
        aria-expanded="true"
        aria-controls={LIST_ID}
        aria-activedescendant={at < 0 ? undefined : rowId(LIST_ID, at)}
        aria-label="Search commands"
        placeholder="What do you want to do?"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <VirtualList
        id={LIST_ID}
        label="Commands"
        passive
        count={found.length}
        rowPx={ROW_PX}
        visibleRows={12}
        active={at}
        isSelected={(index) => index === at}
        onKeyDown={onKeyDown}
        onClick={(index) => {
          run(found[index]);
        }}
      >
        {(index) => (
          <>
            <span className="ellipsis">{found[index]!.name}</span>
            {found[index]!.keys !== null && <kbd>{found[index]!.keys}</kbd>}
          </>
        )}
      </VirtualList>
      {found.length === 0 && <p className="panel-hint">No command of that name.</p>}
    </Dialog>
  );
}
