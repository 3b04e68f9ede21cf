import { rulesText } from '#core/compare/describe-comparison.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { ExperimentSide, ExperimentState, ImportedExperiment, MissingCapture } from '#core/contract/experiment.ts';
import { libraryWords } from '../library/library-option.ts';
import { countText } from '#core/units/format.ts';
import { asLines } from '../output/terminal.ts';

/** Returns one line per experiment: its ID, captures per side, and name. */
export function listExperiments(states: readonly ExperimentState[]): string {
  if (states.length === 0) {
    return 'No experiments. Load two sides of a server with `flamebench experiment run`, or record a before and an after: flamebench record --help\n';
  }
  return asLines(
    states.map(({ experiment, missing }) => {
      const { id, name, before, after } = experiment;
      const counts = `${before.captures.length} before, ${after.captures.length} after`;
      return `${id}  ${counts.padEnd(19)}  ${name}${missing.length === 0 ? '' : ` (${missing.length} missing)`}`;
    }),
  );
}

/** Describes what an experiment compares, with its notes. */
export function describeExperiment({ experiment, missing }: ExperimentState): string {
  const { id, name, before, after, notes, options } = experiment;
  const gone = new Map(missing.map((capture) => [capture.id, capture.why]));
  const { normalisation, rules, transforms } = options;
  const chosen = [
    normalisation === null ? null : `normalised ${normalisation}`,
    rulesText(rules),
    transforms.length === 0 ? null : countText(transforms.length, 'transform'),
  ].filter((text) => text !== null);
  return asLines([
    name,
    id,
    ...describeSide('before', before, gone),
    ...describeSide('after', after, gone),
    ...(chosen.length === 0 ? [] : [chosen.join(' · ')]),
    ...(notes === '' ? [] : ['', ...notes.split('\n')]),
  ]);
}

/** Describes the result of an import, and the next step. */
export function describeImport(
  { experiment, missing, added, known }: ImportedExperiment,
  library: string | undefined,
): string {
  const parts = [
    `${countText(added, 'capture')} added`,
    ...(known > 0 ? [`${known} already in the library`] : []),
    ...(missing.length > 0 ? [`${missing.length} missing from the file`] : []),
  ];
  return asLines([
    `${experiment.name}: ${parts.join(', ')}`,
    `Next: ${quoteArgv(['flamebench', 'diff', experiment.id, ...libraryWords(library)])}`,
  ]);
}

function describeSide(
  title: string,
  { label, captures }: ExperimentSide,
  gone: ReadonlyMap<string, MissingCapture['why']>,
): string[] {
  const rows = captures.map(({ id, name, requests }) => {
    const why = gone.get(id);
    return `  ${id}  ${name}${requests === null ? '' : ` · ${countText(requests, 'request')}`}${why === undefined ? '' : ` (${why})`}`;
  });
  return [`${title}${label === '' ? '' : ` · ${label}`}`, ...(rows.length === 0 ? ['  no captures'] : rows)];
}
