import { viewToWord } from '#core/report/packed-views.ts';
import type { CompareInput, CompareTab } from '../../state/compare/compare.types.ts';
import { serialiseComparison } from '../../state/compare/document.ts';
import { openCommand } from '../../state/open-command.ts';
import type { Workbench } from '../../state/workbench.ts';
import { copyText } from '../../ui/copy-text.ts';

/** Copies a `flamebench open` command that reopens a comparison with its sides, options, zoom and search. */
export async function copyCompareCommand(
  { notify, store }: Pick<Workbench, 'notify' | 'store'>,
  tab: CompareTab,
): Promise<void> {
  const state = tab.store.get();
  const word = viewToWord(serialiseComparison(state));
  if (word === null) {
    const text = 'This comparison is too large for a command line.';
    notify({ kind: 'error', text, remedy: 'Save it as an experiment.', action: null });
    return;
  }
  const { experimentId } = state;
  const sides = [state.before.captures, state.after.captures] as const;
  if (experimentId === null && sides.flat().some(({ origin }) => origin.kind === 'fleet')) {
    const text = 'No command opens a comparison of a fleet.';
    notify({ kind: 'error', text, remedy: 'Save it as an experiment, or run flamebench fleet diff.', action: null });
    return;
  }
  const inputs = experimentId === null ? namedSides(...sides) : [experimentId];
  const inLibrary = experimentId !== null || sides.flat().some(({ origin }) => origin.kind === 'capture');
  await copyText(openCommand(store.get(), { inputs, inLibrary, view: word }));
  // A window does not learn the folders of files outside the library.
  const hasFiles = experimentId === null && sides.flat().some(({ origin }) => origin.kind !== 'capture');
  const remedy = hasFiles ? 'Run it in the folder of the files.' : null;
  notify({ kind: 'info', text: 'Copied the command that reopens this comparison.', remedy, action: null });
}

function namedSides(before: readonly CompareInput[], after: readonly CompareInput[]): string[] {
  const name = ({ origin, source }: CompareInput): string => (origin.kind === 'capture' ? origin.id : source.fileName);
  const [first, second] = [before.map(name), after.map(name)];
  if (first.length === 1 && second.length === 1) return ['--compare', ...first, ...second];
  return [...first.map((one) => `before=${one}`), ...second.map((one) => `after=${one}`)];
}
