import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Command } from '../../state/command.ts';
import { copyTableCommands } from '../panes/copy-table-commands.ts';
import { graphFrontCommands } from '../panes/graph-front-commands.ts';
import { tabTitle } from '../../state/tab-title.ts';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { Workbench } from '../../state/workbench.ts';
import { groupCaptures, groupSize } from '../../state/group-captures.ts';
import type { CaptureGroup } from '../../state/group-captures.ts';
import { functionName } from '../../state/function-text.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { newDraft } from '../../state/transforms/draft.ts';
import { readingCommands } from '../transforms/reading-commands.ts';
import { allCaptures } from '../../state/compare/sides.ts';
import { bothSidesItems, compareSubject, compareTarget } from '../../state/compare/transform-both.ts';
import { checkNumbers } from '../../state/analysis/check-numbers.ts';
import { checkedComparison } from '../../state/compare/check-comparison.ts';
import type { CompareInput, CompareLook, CompareTab } from '../../state/compare/compare.types.ts';

/** Returns the commands for the active comparison. */
export function compareCommands(workbench: Workbench, tab: CompareTab): Command[] {
  const { preferences, parts, notify, report, experiments, showDialog } = workbench;
  const {
    canUndo,
    canRedo,
    analysis: compared,
    comparing,
    reading,
    look,
    picked,
    options,
    experimentId,
  } = tab.store.get();
  const swap = { id: 'compare.swap', name: 'Swap sides: before becomes after', run: tab.swap };
  const save =
    experimentId === null
      ? [{ id: 'compare.save', name: 'Save the comparison as an experiment', run: () => void experiments.save(tab) }]
      : [];
  const undo = [
    ...(canUndo ? [{ id: 'view.undo', name: 'Undo', run: tab.undo }] : []),
    ...(canRedo ? [{ id: 'view.redo', name: 'Redo', run: tab.redo }] : []),
  ];
  const cancel =
    comparing === null && reading === null
      ? []
      : [{ id: 'compare.cancel', name: 'Cancel the comparison', run: tab.cancel }];
  if (compared === null) return [swap, ...save, ...undo, ...cancel];
  const { detailsOpen } = preferences.get();
  const shown = (change: Partial<CompareLook>) => (): void => {
    tab.setLook(change);
  };
  const page = (panel: CompareLook['panel'], name: string): Command => ({
    id: `compare.${panel}`,
    name,
    run: () => {
      preferences.set({ detailsOpen: true });
      tab.setLook({ panel });
    },
  });
  return [
    swap,
    ...save,
    ...undo,
    ...cancel,
    { id: 'search.focus', name: 'Search functions of both sides', run: () => parts.run('search') },
    ...graphFrontCommands(preferences, parts),
    ...(preferences.get().graphAlone ? [] : copyTableCommands(parts)),
    look.graph === 'delta'
      ? { id: 'compare.pair', name: 'Graphs side by side', run: shown({ graph: 'side-by-side' }) }
      : { id: 'compare.delta', name: 'Single delta graph', run: shown({ graph: 'delta' }) },
    { id: 'view.flame', name: 'Flame graph, root at the bottom', run: shown({ orientation: 'flame' }) },
    { id: 'view.icicle', name: 'Icicle, root at the top', run: shown({ orientation: 'icicle' }) },
    ...(picked === null ? [] : pickedCommands(tab, compared, picked.func)),
    {
      id: 'transform.add',
      name: 'Add transform…',
      run: () => {
        showDialog({ kind: 'transform', draft: newDraft(compareSubject(tab, compared)) });
      },
    },
    ...readingCommands(compareTarget(tab), labelKeysOfSides(tab), (form) => {
      showDialog({ kind: 'transform', draft: { subject: compareSubject(tab, compared), index: null, form } });
    }),
    ...(options.transforms.length === 0
      ? []
      : [{ id: 'transform.clear', name: 'Remove all transforms', run: () => tab.setOptions({ transforms: [] }) }]),
    page('movers', 'Show what changed, in sentences'),
    page('matching', 'Show how functions are matched'),
    page('captures', 'Show the captures of both sides'),
    page('self-test', 'Self-test: false alarms and power of these captures'),
    {
      id: 'details.toggle',
      name: detailsOpen ? 'Hide the details' : 'Show the details',
      run: () => preferences.set({ detailsOpen: !preferences.get().detailsOpen }),
    },
    {
      id: 'compare.check',
      name: 'Check this comparison’s numbers',
      run: () => {
        checkNumbers(checkedComparison(tab)).then(notify, report);
      },
    },
  ];
}

/** Returns the label keys of all captures that were read. */
const labelKeysOfSides = (tab: CompareTab): readonly string[] => [
  ...new Set(allCaptures(tab.store.get()).flatMap(({ opened }) => opened?.labelKeys ?? [])),
];

/** Returns the commands that transform the stacks with the selected function on both sides. */
function pickedCommands(tab: CompareTab, compared: Compared, func: FunctionIndex): Command[] {
  const name = shortenMiddle(visibleText(functionName(compared.functions, func).slice(0, 20_000)), 60);
  return bothSidesItems(tab, compared, func, () => null)
    .flat()
    .flatMap(({ id, label, run }) => (id === null ? [] : [{ id, name: `${label}: ${name}`, run }]));
}

/**
 * Returns the commands that compare the active profile, as *before*, with another tab or a capture of the library as
 * *after*; a series is compared with the series of the profile's run.
 */
export function compareWithCommands({ store, tabs }: Workbench, tab: ProfileTab): Command[] {
  const { tabs: open, captures } = store.get();
  const groups = groupCaptures(captures ?? []);
  const { captureId } = tab.store.get();
  const inputs = (group: CaptureGroup): CompareInput[] =>
    group.captures.map(({ id, primaryFile }) => tabs.captureInput(id, primaryFile));
  const own = groups.find((group) => group.captures.some(({ id }) => id === captureId));
  const before = (after: CaptureGroup): CompareInput[] =>
    own !== undefined && after.isSeries ? inputs(own) : [tabs.tabInput(tab)];
  const others = open.flatMap((one) => (one === tab ? [] : (asProfileTab(one) ?? [])));
  return [
    ...others.map((other) => ({
      id: `compare.with-${other.id}`,
      name: `Compare with ${tabTitle(other, captures)}`,
      run: () => tabs.compare({ before: [tabs.tabInput(tab)], after: [tabs.tabInput(other)] }),
    })),
    ...groups
      .filter((group) => group !== own)
      .map((group) => ({
        id: `compare.with-${group.id}`,
        name: `Compare with ${group.isSeries ? `${group.name}, ${groupSize(group)}` : `capture ${group.name}`}`,
        run: () => tabs.compare({ before: before(group), after: inputs(group) }),
      })),
  ];
}
