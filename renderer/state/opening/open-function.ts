import { shortenMiddle } from '#core/analyze/function-label.ts';
import { functionRefOf } from '../function-text.ts';
import type { FrameRef } from '../../ui/flame/graph.types.ts';
import type { Store } from '../store.ts';
import type { TabActions } from './actions.ts';
import type { AnalysedTab } from '../tabs/open-tab.ts';

/** A frame of a tab's tree; without a node, the function in all call paths. */
export interface OpenedFrame {
  readonly func: NonNullable<FrameRef['func']>;
  readonly node: FrameRef['node'] | null;
}

/**
 * Opens a copy of a tab that is zoomed to a frame, or focused on a function. Its indices are those of the original,
 * since both read the same file with the same choices.
 */
export async function openFunction(
  { openCopy }: Pick<TabActions, 'openCopy'>,
  original: AnalysedTab,
  { func, node }: OpenedFrame,
): Promise<void> {
  const tab = openCopy(original.id, nameOf(original, func));
  if (tab === null) return;
  if (tab.kind === 'compare') {
    const { revision } = await first(tab.store, ({ analysis }) => analysis);
    const place = node ?? (await tab.ask('heaviest', { revision, func }));
    if (place !== null) tab.zoom(place);
    tab.pick({ func, node: place });
    return;
  }
  const view = await first(tab.store, ({ activeView }) => activeView);
  const analysis = await first(view.store, (state) => state.analysis);
  if (node === null) {
    const on = { by: 'function', func: functionRefOf(analysis.functions ?? view.profile.functions, func) } as const;
    view.setTransforms([...view.store.get().transforms, { enabled: true, kind: 'focus', on }]);
  } else view.zoom(node);
  view.pick({ func, node });
}

/** Longest name that a tab keeps. */
const LONGEST_NAME = 200;

/** Returns the name of a function that the tab shows. */
function nameOf(tab: AnalysedTab, func: OpenedFrame['func']): string {
  const functions =
    tab.kind === 'compare'
      ? tab.store.get().analysis?.functions
      : (tab.store.get().activeView?.store.get().analysis?.functions ?? tab.store.get().profile?.functions);
  return functions === undefined ? '' : shortenMiddle(functionRefOf(functions, func).name, LONGEST_NAME);
}

/** Resolves with the first value that is not null; never if the tab is closed before. */
function first<T extends object, R>(store: Store<T>, read: (state: T) => R | null): Promise<R> {
  return new Promise((resolve) => {
    const now = read(store.get());
    if (now !== null) {
      resolve(now);
      return;
    }
    const stop = store.subscribe(() => {
      const found = read(store.get());
      if (found === null) return;
      stop();
      resolve(found);
    });
  });
}
