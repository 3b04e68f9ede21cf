import { viewToWord } from '#core/report/packed-views.ts';
import { serialiseViews } from '../../state/profile/document.ts';
import { openCommand } from '../../state/open-command.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { Workbench } from '../../state/workbench.ts';
import { copyText } from '../../ui/copy-text.ts';

/**
 * Copies a `flamebench open` command that reopens a tab with its value types, threads, time, transforms, zooms and
 * search.
 */
export async function copyCommand(
  { notify, store }: Pick<Workbench, 'notify' | 'store'>,
  tab: ProfileTab,
): Promise<void> {
  const state = tab.store.get();
  const views = serialiseViews(state);
  const word = views === null ? null : viewToWord(views);
  if (word === null) {
    const text = 'This view is too large for a command line.';
    notify({ kind: 'error', text, remedy: 'Remove transforms with long lists, or save an experiment.', action: null });
    return;
  }
  // A window does not learn the folders of files outside the library.
  const inputs = [state.captureId ?? tab.source.fileName];
  await copyText(openCommand(store.get(), { inputs, inLibrary: state.captureId !== null, view: word }));
  const remedy = state.captureId === null ? 'Run it in the folder of the file.' : null;
  notify({ kind: 'info', text: 'Copied the command that reopens this view.', remedy, action: null });
}
