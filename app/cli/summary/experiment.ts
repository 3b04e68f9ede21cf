import { openExperiments } from '#app/engine/experiments/experiments.ts';
import type { Experiment } from '#core/contract/experiment.ts';
import type { Side } from '#core/contract/side.ts';
import { changesOf, findingLines, findings } from '../experiments/conclusion.ts';
import { withLibrary } from '../library/open-library.ts';
import { refuseCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { asLines, print, terminalWidth } from '../output/terminal.ts';
import { summaryAsJson, summaryAsText, type PrintedSummary } from './print.ts';

interface Options {
  readonly library?: string | undefined;
  readonly json?: true;
  readonly csv?: true;
}

/** Prints what an experiment shows, then the summary of each side's newest capture. */
export async function printExperiment(
  id: string,
  { library: folder, json, csv }: Options,
  summaryOf: (capture: string) => Promise<PrintedSummary>,
): Promise<void> {
  refuseCsv(csv, 'the summary of an experiment', 'the summary of a capture');
  const { experiment, shown } = await withLibrary(folder, async (library) => {
    const experiments = await openExperiments(library);
    const found = (await experiments.get(id)).experiment;
    return { experiment: found, shown: await findings(library, id, found.loads, folder) };
  });
  const { name } = experiment;
  const sides = { before: newestOf(experiment, 'before'), after: newestOf(experiment, 'after') };
  const before = sides.before === null ? null : await summaryOf(sides.before);
  const after = sides.after === null ? null : await summaryOf(sides.after);
  if (json === true) {
    const documents = {
      before: before === null ? null : summaryAsJson(before),
      after: after === null ? null : summaryAsJson(after),
    };
    print(jsonText({ experiment: { id, name }, findings: shown.sentences, ...changesOf(shown), ...documents }));
    return;
  }
  const width = terminalWidth();
  const head = asLines([name, id, '', ...findingLines(shown)]);
  const textOf = (side: Side, printed: PrintedSummary | null): string =>
    printed === null ? '' : `\n${side} · ${summaryAsText(printed, width)}`;
  print(`${head}${textOf('before', before)}${textOf('after', after)}`);
}

/** Returns a side's newest capture, whose ID begins with its time; null: the side has none. */
const newestOf = (experiment: Experiment, side: Side): string | null =>
  experiment[side].captures
    .map(({ id }) => id)
    .toSorted()
    .at(-1) ?? null;
