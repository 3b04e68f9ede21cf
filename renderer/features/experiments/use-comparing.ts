import type { CaptureDocument } from '#core/contract/schemas.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import { previousRun } from '#core/contract/previous-run.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import { runsWith } from '../../state/group-captures.ts';
import type { MenuItem } from '../../ui/menu/menu.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { asCompareTab, asProfileTab } from '../../state/tabs/open-tab.ts';
import { inTime, addToTray, sideIn, takeOutOfTray, toggleInTray } from '../../state/compare-tray.ts';
import { tabTitle } from '../../state/tab-title.ts';

export interface Comparing {
  /** The side to which the captures were added; null if they are on none or not all on one. */
  readonly side: Side | null;
  readonly toggle: () => void;
  /** Returns the menu items for a capture, or for all runs of a series; it looks at the whole library. */
  readonly items: () => readonly MenuItem[];
}

/** Returns how captures of the library are added to comparisons. */
export function useComparing(captures: readonly CaptureDocument[]): Comparing {
  const { store, experiments } = useWorkbench();
  const tray = useWorkbenchState((state) => state.tray);
  const all = useWorkbenchState((state) => state.captures) ?? [];
  const inFront = useWorkbenchState((state) => state.tabs.find((tab) => tab.id === state.activeTab) ?? null);
  const ids = captures.map(({ id }) => id);
  const sides = new Set(ids.map((id) => sideIn(tray, id)));
  const side = sides.size === 1 ? ([...sides][0] ?? null) : null;
  const toggle = (): void => store.set({ tray: toggleInTray(store.get().tray, captures, all) });
  const itemsNow = (): readonly MenuItem[] => {
    const isSeries = new Set(captures.map(({ series }) => series?.id)).size === 1;
    const many = captures.length > 1 ? `all ${captures.length} ${isSeries ? 'runs' : 'captures'}` : '';
    const items: MenuItem[] = SIDES.filter((one) => one !== side).map((one) => ({
      label: ['Compare', many, `as ${one}`].filter(Boolean).join(' '),
      run: () => store.set({ tray: addToTray(store.get().tray, one, ids) }),
    }));
    if (side !== null) {
      const run = (): void => store.set({ tray: takeOutOfTray(store.get().tray, ids) });
      items.push({ label: 'Remove from comparison', hint: 'Ctrl+Space', run });
    }
    // The group of one side represents both.
    const inTurn = new Set(captures.map(({ series }) => (series?.side === undefined ? null : series.id)));
    const [seriesId = null] = inTurn.size === 1 ? inTurn : [];
    const recorded = SIDES.map((one) =>
      seriesId === null
        ? []
        : all
            .filter(({ series }) => series?.id === seriesId && series.side === one)
            .sort((a, b) => a.series!.run - b.series!.run),
    );
    const [before, after] = recorded;
    if (before !== undefined && after !== undefined && before.length > 0 && after.length > 0) {
      items.unshift({ label: 'Compare before with after', run: () => experiments.compare(before, after) });
    }
    const shown = asProfileTab(inFront);
    const [first, ...others] = captures;
    const open = all.find(({ id }) => id === shown?.store.get().captureId);
    if (shown !== null && open !== undefined && first !== undefined && others.length === 0 && open.id !== first.id) {
      const run = (): void => {
        const [earlier, later] = inTime(open, first);
        experiments.compare([earlier], [later]);
      };
      items.unshift({ label: `Compare with ${tabTitle(shown, all)}`, run });
    }
    const previous = first === undefined ? null : previousRun(first, all);
    const isOneGroup = first !== undefined && runsWith(first, all).length >= captures.length && isSeries;
    if (first !== undefined && previous !== null && isOneGroup) {
      items.unshift({
        label: 'Compare with previous',
        hint: visibleText(previous.name.slice(0, 40)),
        run: () => experiments.compare(runsWith(previous, all), runsWith(first, all)),
      });
    }
    const experimentId = asCompareTab(inFront)?.store.get().experimentId ?? null;
    if (experimentId !== null) {
      const add = (one: Side): MenuItem => ({
        label: ['Add', many, `to ${one} of the open experiment`].filter(Boolean).join(' '),
        run: () => void experiments.add(experimentId, one, ids),
      });
      items.push(...SIDES.map(add));
    }
    return items;
  };
  return { side, toggle, items: itemsNow };
}
