import type { AnalysedTab } from './tabs/open-tab.ts';
import type { Workbench } from './workbench.ts';

/** Opens the list of notes. */
export function showNotes({ preferences }: Pick<Workbench, 'preferences'>, tab: AnalysedTab): void {
  preferences.set({ detailsOpen: true, ...(tab.kind === 'profile' ? { detailsPage: 'notes' as const } : {}) });
  if (tab.kind === 'compare') tab.setLook({ panel: 'notes' });
}
