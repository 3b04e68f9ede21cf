import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { Workbench } from '../../state/workbench.ts';

const rowsOnScreen = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.sidebar [data-captures]')];

/** Returns the captures of a row of the library. */
export const capturesOf = (row: Element): string[] => JSON.parse(row.getAttribute('data-captures')!) as string[];

/**
 * Moves captures to the trash. If the focus goes with their rows, it moves to the next row, else to the previous one;
 * *Undo* moves it to the first restored one.
 */
export async function trashRows(
  { library, parts }: Pick<Workbench, 'library' | 'parts'>,
  captures: readonly CaptureDocument[],
): Promise<void> {
  const ids = new Set(captures.map(({ id }) => id));
  const isOneOf = (row: HTMLElement): boolean => capturesOf(row).every((id) => ids.has(id));
  const focusFirst = (rows: () => readonly HTMLElement[]): void => {
    requestAnimationFrame(() => {
      if (!isFocusLost()) return;
      rows()[0]?.focus();
      parts.rescueFocus('library');
    });
  };
  const before = rowsOnScreen();
  const focused = before.findIndex((row) => row === document.activeElement && isOneOf(row));
  const from = Math.max(0, focused < 0 ? before.findIndex(isOneOf) : focused);
  const order = [...before.slice(from), ...before.slice(0, from).toReversed()];
  await library.trash(captures, () => focusFirst(() => rowsOnScreen().filter(isOneOf)));
  focusFirst(() => order.filter((row) => row.isConnected));
}

const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
