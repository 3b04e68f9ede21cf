import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';

/**
 * `note-experiment.ts LIBRARY ID TIMES CHILD` changes one field of the experiment that many times; CHILD selects the
 * field.
 */
const [path = '', id = '', times = '0', child = ''] = process.argv.slice(2);
const experiments = await openExperiments(await openLibrary(path));
const { before, after } = (await experiments.get(id)).experiment;
const side = child === '1' ? ('before' as const) : ('after' as const);
const capture = (side === 'before' ? before : after).captures[0]!;
for (let run = 1; run <= Number(times); run++) {
  const put = [{ id: capture.id, requests: run }];
  await experiments.change(id, child === '3' ? { notes: `${run} by 3` } : { [side]: { put } });
  process.stdout.write('.');
}
