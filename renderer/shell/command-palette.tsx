import { useMemo, useState, type KeyboardEvent, type ReactElement } from 'react';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import { commandKeys, findCommands, listCommands } from './commands.ts';
import type { CommandSource } from '../state/features.ts';
import type { Command } from '../state/command.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { rowId, VirtualList } from '../ui/lists/virtual-list.tsx';
import { useWorkbench } from '../state/workbench-context.ts';

const ROW_PX = 28;
const LIST_ID = 'palette-list';
const MAX_RECENT = 20;

export function CommandPalette({ sources }: { sources: readonly CommandSource[] }): ReactElement {
  const workbench = useWorkbench();
  const { preferences } = workbench;
  const keymap = useKeymap();
  const commands = useMemo(
    () => listCommands(workbench, sources).filter(({ id }) => id !== 'commands.show'),
    [workbench, sources],
  );
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const [recent] = useState(() => preferences.get().recentCommands);
  const found = useMemo(() => findCommands(commands, query, recent), [commands, query, recent]);
  const at = Math.min(active, found.length - 1);
  const close = (): void => workbench.showDialog(null);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    close();
    if (command.id.length <= 60) {
      const others = preferences.get().recentCommands.filter((id) => id !== command.id);
      preferences.set({ recentCommands: [command.id, ...others].slice(0, MAX_RECENT) });
    }
    // Runs after the dialog has restored the focus, so that the command's own focus change lasts.
    requestAnimationFrame(command.run);
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
        onClick={(index) => run(found[index])}
      >
        {(index) => {
          const { id, name, at: matched } = found[index]!;
          const keys = commandKeys(keymap, id);
          return (
            <>
              <span className="ellipsis">
                <Matched text={name} at={matched} />
              </span>
              {query === '' && recent.includes(id) && <span className="palette-recent">recent</span>}
              {keys !== null && <kbd>{keys}</kbd>}
            </>
          );
        }}
      </VirtualList>
      {found.length === 0 && <p className="panel-hint">No matching command. Type fewer letters.</p>}
    </Dialog>
  );
}

/** Renders a text with the letters marked that a query matched. */
function Matched({ text, at }: { text: string; at: readonly number[] }): ReactElement {
  const marked = new Set(at);
  const runs: { text: string; marked: boolean; from: number }[] = [];
  for (let index = 0; index < text.length; index++) {
    const isMarked = marked.has(index);
    const last = runs.at(-1);
    if (last !== undefined && last.marked === isMarked) last.text += text[index];
    else runs.push({ text: text[index]!, marked: isMarked, from: index });
  }
  return (
    <>
      {runs.map((run) =>
        run.marked ? (
          <b key={run.from} className="matched">
            {run.text}
          </b>
        ) : (
          run.text
        ),
      )}
    </>
  );
}
