import { begunExperiment } from '#app/engine/experiments/begun-experiment.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import type { Experiment } from '#core/contract/experiment.ts';
import type { Side } from '#core/contract/schemas.ts';
import { usageError } from '../errors.ts';
import { findings } from '../experiments/conclusion.ts';
import { withLibrary } from '../library/open-library.ts';
import { refuseCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { print, terminalWidth } from '../output/terminal.ts';
import { summaryAsJson, summaryAsText, type PrintedSummary } from './print.ts';

interface Options {
  readonly library?: string;
  readonly json?: true;
  readonly csv?: true;
}

/** Prints what an experiment shows, then the summary of each side's newest capture. */
export async function printExperiment(
  word: string,
  { library: folder, json, csv }: Options,
  summaryOf: (capture: string) => Promise<PrintedSummary>,
): Promise<void> {
  refuseCsv(csv, 'the summary of an experiment', 'the summary of a capture');
  const { experiment, shown } = await withLibrary(folder, async (library) => {
    const experiments = await openExperiments(library);
    const found = (await experiments.get(await begunExperiment(experiments, word))).experiment;
    return { experiment: found, shown: await findings(library, found.id, found.loads, folder) };
  });
  const { id, name } = experiment;
  const before = await summaryOf(newestOf(experiment, 'before'));
  const after = await summaryOf(newestOf(experiment, 'after'));
  if (json === true) {
    const sides = { before: summaryAsJson(before), after: summaryAsJson(after) };
    print(jsonText({ experiment: { id, name }, findings: shown, ...sides }));
    return;
  }
  const width = terminalWidth();
  const head = [name, id, '', ...shown].map((line) => `${escapeControls(line)}\n`).join('');
  print(`${head}\nbefore · ${summaryAsText(before, width)}\nafter · ${summaryAsText(after, width)}`);
}

/** IDs begin with the time. */
function newestOf(experiment: Experiment, side: Side): string {
  const newest = experiment[side].captures
    .map(({ id }) => id)
    .toSorted()
    .at(-1);
  if (newest !== undefined) return newest;
  throw usageError(`the experiment ${experiment.name} has no capture ${side}`, 'add one in the workbench');
}
