import { usualOrder } from '#core/analyze/tree/sibling-order.ts';
import { countsGoroutines } from '#core/analyze/goroutine-waits.ts';
import type { Command } from '../../state/command.ts';
import type { ValueTypeIndex, ThreadIndex } from '#core/model/brand.ts';
import { checkNumbers } from '../../state/analysis/check-numbers.ts';
import { checkedView } from '../../state/profile/check-view.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import { MAX_VIEWS } from '../../state/profile/views.ts';
import { otherLayout, paneLayout, toggleDetails, showDetails } from '../../state/window-fit.ts';
import type { Workbench } from '../../state/workbench.ts';
import { ALL_TIME } from '../../ui/time/committed-ranges.ts';
import { graphFrontCommands } from '../panes/graph-front-commands.ts';
import { viewSubject } from '../../state/transforms/draft.ts';
import { viewTarget } from '../../state/transforms/target.ts';
import { readingCommands } from '../transforms/reading-commands.ts';
import { valueTypeText } from '../../state/value-type-text.ts';
import type { Parts } from '../../ui/parts.tsx';
import type { ThreadRow } from '../../analysis/profile/protocol.ts';
import { ALL_THREADS, visibleThreads } from './thread-picker.tsx';

/**
 * Returns what can be shown next to the view: value types that no view shows, then those that one does, then a copy.
 */
export function splitChoices(parts: Parts, tab: ProfileTab): Command[][] {
  const { views, activeView } = tab.store.get();
  if (activeView === null) return [];
  const { valueTypes } = activeView.profile;
  const split = (valueType?: ValueTypeIndex): void => {
    const view = tab.splitView(valueType);
    if (view !== null) focusNewGraph(parts, view);
  };
  const shown = new Set<number>(views.map((view) => view.store.get().selection.valueType));
  const choices = valueTypes.map((_, index) => ({
    id: `view.split-${index}`,
    name: valueTypeText(valueTypes, index),
    run: () => split(index as ValueTypeIndex),
  }));
  return [
    choices.filter((_, index) => !shown.has(index)),
    valueTypes.length > 1 ? choices.filter((_, index) => shown.has(index)) : [],
    [{ id: 'view.split', name: 'Split view', run: () => split() }],
  ];
}

/** Focuses the graph of a new, active view once it is drawn, unless the user has moved the focus in the meantime. */
function focusNewGraph(parts: Parts, { store }: ProfileView): void {
  // By the next frame, a menu or the command palette has returned the focus.
  requestAnimationFrame(() => {
    const from = document.activeElement;
    const focusDrawn = (): void => {
      if (store.get().analysis === null) return;
      stop();
      if (document.activeElement === from) requestAnimationFrame(() => parts.focus('graph'));
    };
    const stop = store.subscribe(focusDrawn);
    focusDrawn();
  });
}

/** Returns the commands for the views of a tab. */
export function tabViewCommands({ parts, notify, report, showDialog }: Workbench, tab: ProfileTab): Command[] {
  const { views, activeView, canUndo, canRedo } = tab.store.get();
  if (activeView === null) return [];
  const { linked, analysing } = activeView.store.get();
  // Waits until the newly active view is rendered as such.
  const focusGraph = (): void => void requestAnimationFrame(() => parts.focus('graph'));
  const several = [
    {
      id: 'view.next',
      name: 'Next view',
      run: () => {
        tab.activateView(views[(views.indexOf(activeView) + 1) % views.length]!);
        focusGraph();
      },
    },
    {
      id: 'view.close',
      name: 'Close this view',
      run: () => {
        tab.closeView(activeView);
        focusGraph();
      },
    },
    {
      id: 'view.link',
      name: linked ? 'Unlink this view' : 'Link this view',
      run: () => tab.linkView(activeView, !linked),
    },
  ];
  const split = splitChoices(parts, tab).flat();
  return [
    ...(canUndo ? [{ id: 'view.undo', name: 'Undo', run: tab.undo }] : []),
    ...(canRedo ? [{ id: 'view.redo', name: 'Redo', run: tab.redo }] : []),
    ...(views.length < MAX_VIEWS ? split.map(({ id, name, run }) => ({ id, name: `Split view: ${name}`, run })) : []),
    ...(views.length > 1 ? several : []),
    { id: 'tree.time-order', name: 'Samples in time order', run: () => activeView.setTree({ kind: 'time-order' }) },
    {
      id: 'tree.sandwich',
      name: 'Sandwich of the selected function',
      run: () => activeView.setTree({ kind: 'sandwich' }),
    },
    ...readingCommands(viewTarget(activeView), activeView.profile.labelKeys, (form) => {
      showDialog({ kind: 'transform', draft: { subject: viewSubject(activeView), index: null, form } });
    }),
    ...threadCommands(parts, activeView),
    ...(analysing ? [{ id: 'view.cancel', name: 'Cancel the analysis', run: activeView.cancel }] : []),
    {
      id: 'view.check',
      name: 'Check this view’s numbers',
      run: () => {
        checkNumbers(checkedView(activeView)).then(notify, report);
      },
    },
  ];
}

/** Returns the commands for the active view: how its graph is drawn, and the panels around it. */
export function viewCommands({ preferences, parts }: Workbench, view: ProfileView): Command[] {
  const { detailsOpen, graphAlone } = preferences.get();
  const layout = otherLayout(paneLayout(preferences.get()));
  return [
    { id: 'search.focus', name: 'Search functions', run: () => parts.run('search') },
    ...graphFrontCommands(preferences, parts),
    { id: 'view.flame', name: 'Flame graph, root at the bottom', run: () => view.setOrientation('flame') },
    { id: 'view.icicle', name: 'Icicle, root at the top', run: () => view.setOrientation('icicle') },
    { id: 'tree.top-down', name: 'Call tree top-down', run: () => view.setTree({ kind: 'top-down' }) },
    { id: 'tree.bottom-up', name: 'Call tree bottom-up', run: () => view.setTree({ kind: 'bottom-up' }) },
    ...siblingCommands(view),
    ...(['self', 'total'] as const).map((column) => ({
      id: `table.by-${column}`,
      name: `Functions by ${column} weight`,
      run: () => {
        preferences.set({ table: 'functions' });
        view.lookAtTables({ functionSort: { column, direction: 'descending' } });
      },
    })),
    { id: 'selection.all', name: 'All threads, whole time', run: () => view.commitTime(ALL_TIME, null) },
    {
      id: 'details.toggle',
      name: detailsOpen && !graphAlone ? 'Hide the details' : 'Show the details',
      run: () => toggleDetails(preferences),
    },
    ...(view.profile.labelKeys.length > 0
      ? [{ id: 'labels.show', name: 'Show labels', run: () => showDetails(preferences, 'labels') }]
      : []),
    ...(countsGoroutines(view.profile)
      ? [{ id: 'goroutines.show', name: 'Show goroutines', run: () => showDetails(preferences, 'goroutines') }]
      : []),
    { id: 'source.show', name: 'Show source and instructions', run: () => showDetails(preferences, 'source') },
    { id: 'quality.show', name: 'Show data quality', run: () => showDetails(preferences, 'diagnostics') },
    { id: layout.id, name: layout.name, run: () => preferences.set(layout.change) },
  ];
}

/** Returns the commands for another order or other widths, if the graph on screen has them. */
function siblingCommands({ store, setTree }: ProfileView): Command[] {
  const { kind, siblings, widths } = store.get().tree;
  if (kind === 'time-order') {
    return widths === 'weight'
      ? [{ id: 'tree.wide-by-time', name: 'Sample width: time', run: () => setTree({ widths: 'time' }) }]
      : [{ id: 'tree.wide-by-weight', name: 'Sample width: weight', run: () => setTree({ widths: 'weight' }) }];
  }
  if (kind !== 'top-down' && kind !== 'bottom-up') return [];
  return (siblings ?? usualOrder(kind)) === 'weight'
    ? [{ id: 'tree.by-name', name: 'Sort frames by name', run: () => setTree({ siblings: 'name' }) }]
    : [{ id: 'tree.by-weight', name: 'Sort frames by weight', run: () => setTree({ siblings: 'weight' }) }];
}

/** Returns the commands that step through threads in the picker's order; none if there is only one thread. */
function threadCommands(parts: Parts, { profile, store, select }: ProfileView): readonly Command[] {
  const { threads } = profile;
  if (threads.length < 2) return [];
  const step = (by: 1 | -1) => (): void => {
    select({ threads: threadBeside(threads, store.get().selection.threads, by) });
  };
  return [
    { id: 'thread.next', name: 'Next thread', run: step(1) },
    { id: 'thread.previous', name: 'Previous thread', run: step(-1) },
    { id: 'thread.choose', name: 'Choose threads…', run: () => parts.run('threads') },
  ];
}

/**
 * Returns the thread after or before the selected one, by number of samples; null, meaning all threads, comes before
 * the first and after the last.
 */
export function threadBeside(
  threads: readonly ThreadRow[],
  chosen: readonly ThreadIndex[] | null,
  by: 1 | -1,
): readonly ThreadIndex[] | null {
  const ring = visibleThreads(threads, '');
  const at = chosen === null ? 0 : ring.indexOf(chosen[0]!);
  const next = ring[(at + by + ring.length) % ring.length]!;
  return next === ALL_THREADS ? null : [next as ThreadIndex];
}
