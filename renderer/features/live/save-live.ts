import type { LiveControl } from '../../state/live/control.ts';
import type { Workbench } from '../../state/workbench.ts';

/** Saves the last `seconds` (null for all) to the library and shows a notification. */
export async function saveLive(
  { notify, library }: Pick<Workbench, 'notify' | 'library'>,
  live: Pick<LiveControl, 'save'>,
  seconds: number | null,
): Promise<void> {
  const { id, name } = await live.save(seconds);
  void library.refresh();
  const action = { label: 'Open', run: () => void library.open([id]) };
  notify({ kind: 'info', text: `Saved ${name}.`, remedy: null, action });
}
