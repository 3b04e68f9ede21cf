import type { TabViewCommand } from './tab-view-command.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { checkView } from '../../state/check-view.ts';
import type { ProfileTab } from '../../state/profile-tab.ts';
import { MAX_VIEWS } from '../../state/tab-views.ts';
import type { Workbench } from '../../state/workbench.ts';
import { timeCommands } from '../time/time-commands.ts';
import { threadCommands } from './thread-commands.ts';
import { valueTypeText } from '../../state/value-type-text.ts';

/** What can stand beside the view: the value types that no view shows, then those that one does, then the same again. */
export function splitChoices(tab: ProfileTab): TabViewCommand[][] {
  const { views, activeView } = tab.store.get();
  if (activeView === null) return [];
  const { valueTypes } = activeView.profile;
  const shown = new Set<number>(views.map((view) => view.store.get().selection.valueType));
  const choices = valueTypes.map((_, index) => ({
    id: `view.split-${index}`,
    name: `${valueTypeText(valueTypes, index)} beside`,
    run: () => void tab.splitView(index as ValueTypeIndex),
  }));
  return [
    choices.filter((_, index) => !shown.has(index)),
    valueTypes.length > 1 ? choices.filter((_, index) => shown.has(index)) : [],
    [{ id: 'view.split', name: 'Same again beside', run: () => void tab.splitView() }],
  ];
}

/** What can be done with the views of a tab, for the palette and the keys. */
export function tabViewCommands({ notify, report }: Workbench, tab: ProfileTab): TabViewCommand[] {
  const { views, activeView, canUndo, canRedo } = tab.store.get();
  if (activeView === null) return [];
  const { linked, analysing } = activeView.store.get();
  const several = [
    {
      id: 'view.next',
      name: 'Next view',
      run: () => {
        tab.activateView(views[(views.indexOf(activeView) + 1) % views.length]!);
        focusActiveGraph();
      },
    },
    {
      id: 'view.close',
      name: 'Close this view',
      run: () => {
        tab.closeView(activeView);
        focusActiveGraph();
      },
    },
    {
      id: 'view.link',
      name: linked ? 'Unlink this view' : 'Link this view',
      run: () => {
        tab.linkView(activeView, !linked);
      },
    },
  ];
  const split = splitChoices(tab).flat();
  return [
    ...(canUndo ? [{ id: 'view.undo', name: 'Undo', run: tab.undo }] : []),
    ...(canRedo ? [{ id: 'view.redo', name: 'Redo', run: tab.redo }] : []),
    ...(views.length < MAX_VIEWS ? split.map(({ id, name, run }) => ({ id, name: `Split view: ${name}`, run })) : []),
    ...(views.length > 1 ? several : []),
    { id: 'tree.time-order', name: 'Samples in order of time', run: () => activeView.setTree({ kind: 'time-order' }) },
    {
      id: 'tree.sandwich',
      name: 'Sandwich of the picked function',
      run: () => activeView.setTree({ kind: 'sandwich' }),
    },
    ...threadCommands(activeView),
    ...timeCommands(activeView),
    ...(analysing ? [{ id: 'view.cancel', name: 'Cancel the analysis', run: activeView.cancel }] : []),
    {
      id: 'view.check',
      name: 'Check this view’s numbers',
      run: () => {
        checkView(activeView).then(notify, report);
      },
    },
  ];
}

/** Once the view that is in front now is drawn as such. */
function focusActiveGraph(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('.view-pane[aria-current] .view-graph [tabindex="0"]')?.focus();
  });
}
