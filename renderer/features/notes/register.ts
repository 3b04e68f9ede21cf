import '../../ui/pins.css';
import type { Registration } from '../../state/features.ts';
import type { Command } from '../../state/command.ts';
import { showNotes } from '../../state/show-notes.ts';
import type { NoteSubject } from '../../state/start-note.ts';
import { asAnalysedTab, type AnalysedTab } from '../../state/tabs/open-tab.ts';
import type { Workbench } from '../../state/workbench.ts';
import { loadPart } from '../../ui/load-part.ts';

/** Returns the commands that add notes in the active tab. */
function noteCommands(workbench: Workbench, tab: AnalysedTab): Command[] {
  const add = (subject: NoteSubject) => (): void => {
    loadPart(() => import('../../state/start-note.ts'))
      .then(({ startNote }) => startNote(workbench, tab, subject))
      .catch(workbench.report);
  };
  const isProfile = tab.kind === 'profile';
  const view = isProfile ? tab.store.get().activeView : null;
  if (isProfile && view === null) return [];
  const hasPicked = isProfile ? view!.store.get().picked !== null : tab.store.get().picked !== null;
  const hasRange = isProfile && view!.store.get().selection.timeRange !== null;
  return [
    { id: 'note.add', name: hasPicked ? 'Add note on the selected function…' : 'Add note…', run: add('selected') },
    ...(hasRange ? [{ id: 'note.add-range', name: 'Add note on the time range…', run: add('range') }] : []),
    { id: 'note.add-whole', name: `Add note on the whole ${isProfile ? 'capture' : 'experiment'}…`, run: add('whole') },
    { id: 'note.list', name: 'Show notes', run: () => showNotes(workbench, tab) },
  ];
}

export const notes = {
  commands: (workbench, active) => {
    const tab = asAnalysedTab(active);
    return tab === null ? [] : noteCommands(workbench, tab);
  },
} satisfies Registration;
