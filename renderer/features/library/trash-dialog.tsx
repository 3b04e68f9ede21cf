import { useEffect, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TrashedItem } from '#core/contract/trash-methods.ts';
import type { EngineClient } from '../../state/engine-client.ts';
import { toProblem } from '../../state/problem.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { age, bytes, countOf } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import './trash.css';
import { Button } from '../../ui/buttons.tsx';
import { takeAnswer } from '../../ui/take-answer.ts';

interface Trash {
  readonly items: readonly TrashedItem[];
  /** Number of entries that Flamebench did not put there. */
  readonly others: number;
  /** When the list was read, in Unix milliseconds. */
  readonly now: number;
}

const readTrash = async (engine: EngineClient): Promise<Trash> => ({
  ...(await engine.call('trash.list', {})),
  now: Date.now(),
});

/** Lists the trash; restores items or deletes them permanently. */
export function TrashDialog(): ReactElement {
  const { engine, showDialog } = useWorkbench();
  // Reloads the list after each announced change of the library.
  const changes = useWorkbenchState((state) => state.captures);
  const [trash, setTrash] = useState<Trash | null>(null);
  const [doomed, setDoomed] = useState<readonly TrashedItem[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => {
    // The library has not been listed yet.
    if (changes === null) return undefined;
    return takeAnswer(readTrash(engine), setTrash, (error) => setProblem(toProblem(error)));
  }, [engine, changes]);

  const change = async (call: Promise<unknown>): Promise<void> => {
    try {
      await call;
      setProblem(null);
    } catch (error) {
      setProblem(toProblem(error));
    }
    setDoomed([]);
    await readTrash(engine).then(setTrash, () => undefined);
  };

  const items = trash?.items ?? [];
  return (
    <Dialog title="Trash" className="trash-dialog" onClose={() => showDialog(null)}>
      <div className="dialog-body">
        {problem !== null && <ProblemView problem={problem} />}
        {trash !== null && items.length === 0 && <p className="dim">The trash is empty.</p>}
        {trash !== null && trash.others > 0 && (
          <p className="dim">
            Not Flamebench’s, and never deleted: {countOf(trash.others, 'other entry', 'other entries')}.
          </p>
        )}
        {trash !== null && items.length > 0 && (
          <TrashTable
            items={items}
            now={trash.now}
            onRestore={({ entry }) => void change(engine.call('trash.restore', { entry }))}
            onDelete={(item) => setDoomed([item])}
          />
        )}
      </div>
      {items.length > 0 && (
        <Deletion
          items={items}
          doomed={doomed}
          onChoose={setDoomed}
          onDelete={() => void change(engine.call('trash.delete', { entries: doomed.map(({ entry }) => entry) }))}
        />
      )}
    </Dialog>
  );
}

interface TrashTableProps extends Omit<Trash, 'others'> {
  readonly onRestore: (item: TrashedItem) => void;
  readonly onDelete: (item: TrashedItem) => void;
}

function TrashTable({ items, now, onRestore, onDelete }: TrashTableProps): ReactElement {
  return (
    <table className="trash-table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Kind</th>
          <th scope="col" className="number">
            Size
          </th>
          <th scope="col">Trashed</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => {
          const name = visibleText(item.name);
          return (
            <tr key={item.entry}>
              <td title={item.entry}>{name}</td>
              <td>{item.kind}</td>
              <td className="number">{bytes(item.sizeBytes)}</td>
              <td>{item.trashedAt === null ? 'unknown' : age(item.trashedAt, now)}</td>
              <td>
                <Button aria-label={`Restore ${name}`} onClick={() => onRestore(item)}>
                  Restore
                </Button>
                <Button aria-label={`Delete ${name}`} onClick={() => onDelete(item)}>
                  Delete…
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface DeletionProps {
  readonly items: readonly TrashedItem[];
  /** The items to delete when the user confirms; empty if none were chosen. */
  readonly doomed: readonly TrashedItem[];
  readonly onChoose: (items: readonly TrashedItem[]) => void;
  readonly onDelete: () => void;
}

/** Deletes permanently, after a second confirmation. */
function Deletion({ items, doomed, onChoose, onDelete }: DeletionProps): ReactElement {
  const size = (some: readonly TrashedItem[]): string => bytes(some.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  if (doomed.length === 0) {
    return (
      <div className="dialog-actions">
        <span>
          {countOf(items.length, 'item')}, {size(items)}
        </span>
        <Button onClick={() => onChoose(items)}>Empty trash…</Button>
      </div>
    );
  }
  const what = doomed.length === 1 ? `“${visibleText(doomed[0]!.name)}”` : countOf(doomed.length, 'item');
  return (
    <div className="dialog-actions" role="alert">
      <span>
        Delete {what} permanently ({size(doomed)})? This can’t be undone.
      </span>
      <Button onClick={() => onChoose([])}>Keep</Button>
      <Button className="primary" onClick={onDelete}>
        Delete permanently
      </Button>
    </div>
  );
}
