import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { checkNumbers } from '../../../renderer/state/analysis/check-numbers.ts';
import { checkedView } from '../../../renderer/state/profile/check-view.ts';
import type { ProfileTab } from '../../../renderer/state/profile/tab.ts';
import type { ProfileView } from '../../../renderer/state/profile/view.ts';
import { sameChoices } from '../../../renderer/state/profile/view-state.ts';
import { enterSelectedRange, leaveInnerRanges, readCommitted } from '../../../renderer/ui/time/committed-ranges.ts';
import type { TimeChoice } from '../../../renderer/ui/time/committed-ranges.ts';
import { openTab, settled } from './open-tab.ts';

const TEXT = 'a;b;c 4\na;b;d 3\na;e;b 2\nf;c 1\nf;f;d 5';
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const KINDS = ['hide', 'focus', 'focus-self', 'merge', 'drop-without'] as const;

type Step = (tab: ProfileTab, view: ProfileView) => void;

const byPattern = (kind: (typeof KINDS)[number], name: string): NamedTransform => ({
  enabled: true,
  kind,
  on: { by: 'pattern', pattern: `^${name}$`, ignoreCase: false },
});

const timeOf = (view: ProfileView): TimeChoice => {
  const { committed, selection } = view.store.get();
  return { committed, timeRange: selection.timeRange };
};

const added = fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom(...NAMES)).map(([kind, name]): Step => {
  return (_, view) => {
    view.setTransforms([...view.store.get().transforms.slice(0, 2), byPattern(kind, name)]);
  };
});
const zoomed = fc.nat({ max: 6 }).map((node): Step => {
  return (_, view) => {
    if (node < (view.store.get().analysis?.treeLength ?? 0)) view.zoom(node as CallNodeIndex);
  };
});
const others: Step[] = [
  (tab) => tab.undo(),
  (tab) => tab.redo(),
  (tab) => void tab.splitView(),
  (tab, view) => tab.closeView(view),
  (tab, view) => tab.linkView(view, !view.store.get().linked),
  (_, view) => view.setTree({ kind: view.store.get().tree.kind === 'top-down' ? 'bottom-up' : 'top-down' }),
  (_, view) => view.setTree({ siblings: view.store.get().tree.siblings === 'weight' ? 'name' : 'weight' }),
  (_, view) => view.setTransforms([]),
  (_, view) => view.cancel(),
  (_, view) => view.select({ timeRange: { start: 0, end: 5 } }),
  (_, view) => view.select({ timeRange: { start: 2, end: 6 } }),
  (_, view) => view.select({ timeRange: null }),
  (_, view) => view.commitTime(enterSelectedRange(timeOf(view))),
  (_, view) => view.commitTime(leaveInnerRanges(timeOf(view).committed, 1)),
  (_, view) => view.setSearch('b|c'),
  (_, view) => view.select({ threads: view.store.get().selection.threads === null ? [0 as never] : null }),
];
const steps = fc.array(
  fc.record({
    step: fc.oneof(
      { weight: 3, arbitrary: added },
      { weight: 1, arbitrary: zoomed },
      { weight: 6, arbitrary: fc.constantFrom(...others) },
    ),
    which: fc.nat({ max: 3 }),
    waits: fc.boolean(),
  }),
  { minLength: 4, maxLength: 14 },
);

/** Checks what linked views share, and that the screen shows what was chosen. */
async function check(tab: ProfileTab): Promise<void> {
  const { views, shares } = tab.store.get();
  await Promise.all(views.map((view) => settled(view)));
  expect(shares.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
  const linked = views.filter((view) => view.store.get().linked);
  for (const view of linked) {
    const { selection, transforms, committed } = view.store.get();
    const first = linked[0]!.store.get();
    expect(sameChoices({ selection, transforms, committed, tree: first.tree }, first)).toBe(true);
  }
  for (const view of views) {
    const { committed, timeRange } = timeOf(view);
    expect(readCommitted(committed, timeRange)).toEqual(committed);
    const { analysis, problem, tree, zoomNode } = view.store.get();
    expect(problem).toBeNull();
    expect(analysis!.tree).toEqual(tree);
    expect(zoomNode).toBeLessThan(analysis!.treeLength);
    expect((await checkNumbers(checkedView(view))).text).toMatch(/^Numbers agree/);
  }
}

it('stays consistent under random actions in any order and speed', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { tab } = await openTab(TEXT);
      for (const { step, which, waits } of all) {
        const { views } = tab.store.get();
        step(tab, views[which % views.length]!);
        if (waits) await Promise.all(tab.store.get().views.map((view) => view.analyse()));
      }
      await check(tab);
      tab.dispose();
    }),
    { numRuns: 25, seed: 20261121 },
  );
}, 60_000);
