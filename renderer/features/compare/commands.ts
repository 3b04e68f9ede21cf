import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Command } from '../../state/command.ts';
import { copyTableCommands } from '../panes/copy-table-commands.ts';
import { graphFrontCommands } from '../panes/graph-front-commands.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import { toggleDetails } from '../../state/window-fit.ts';
import type { Workbench } from '../../state/workbench.ts';
import { functionName } from '../../state/function-text.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { newDraft } from '../../state/transforms/draft.ts';
import { readingCommands } from '../transforms/reading-commands.ts';
import { allCaptures } from '../../state/compare/sides.ts';
import { bothSidesItems, compareSubject, compareTarget } from '../../state/compare/transform-both.ts';
import { checkNumbers } from '../../state/analysis/check-numbers.ts';
import { checkedComparison } from '../../state/compare/check-comparison.ts';
import { compareCandidates, seriesText } from '../../state/compare-candidates.ts';
import type { CompareLook, CompareTab } from '../../state/compare/compare.types.ts';

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
  const { detailsOpen, graphAlone } = preferences.get();
  const shown = (change: Partial<CompareLook>) => (): void => tab.setLook(change);
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
      run: () => showDialog({ kind: 'transform', draft: newDraft(compareSubject(tab, compared)) }),
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
      name: detailsOpen && !graphAlone ? 'Hide the details' : 'Show the details',
      run: () => toggleDetails(preferences),
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
  const { own, candidates } = compareCandidates(store.get(), tab, tabs);
  return candidates.map((candidate) => {
    const { key, name, group, isOpen, inputs } = candidate;
    const series = seriesText(candidate);
    const mine = own !== null && series !== null ? own.captures : [];
    return {
      id: `compare.with-${key}`,
      name: `Compare with ${series === null ? `${group !== null && !isOpen ? 'capture ' : ''}${name}` : `${name}, ${series}`}`,
      run: () =>
        tabs.compare({
          before:
            mine.length === 0
              ? [tabs.tabInput(tab)]
              : mine.map(({ id, primaryFile }) => tabs.captureInput(id, primaryFile)),
          after: inputs(),
        }),
    };
  });
}
