import { loadSides, reportLoadOf, type ReportLoad } from '#core/contract/report/load.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { LoadComparison } from '#core/load/compare-sweeps.ts';
import { comparisonDocument } from '#core/load/comparison-json.ts';
import { COMPONENTS_TEXT, compareComponents, componentChanges, oneSidedComponents } from '#core/load/components.ts';
import { concludeLoad } from '#core/load/conclude.ts';
import { comparisonNotes } from '#core/load/describe-load.ts';
import { createLoadText, type LoadTable } from '#core/load/load-text.ts';
import { compareSeries, SERIES_TEXT, seriesChanges } from '#core/load/compare-series.ts';
import { sweepsOf } from '#core/report/sections/load-section.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { alignColumns } from '../output/align-columns.ts';
import { warn } from '../output/terminal.ts';
import { withLoadTests } from './inputs.ts';

const text = createLoadText('en');

/** A capture; `document` is null for a file without one. */
interface WithDocument {
  readonly document: Partial<CaptureDocument> | null;
}

/** Returns the load tests during which the captures were recorded. One that is gone is left out, with a warning. */
export async function loadsOf(
  before: readonly WithDocument[],
  after: readonly WithDocument[] | null,
  library: string | undefined,
): Promise<ReportLoad[]> {
  const testOf = ({ document }: WithDocument): string | undefined => document?.load?.test;
  const wanted = loadSides(before.map(testOf), after === null ? null : after.map(testOf));
  if (wanted.length === 0) return [];
  return withLoadTests(library, async (tests) => {
    const found: ReportLoad[] = [];
    for (const { id, side } of wanted) {
      try {
        found.push(reportLoadOf(side, await tests.get(id)));
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        warn(`the load test ${id} is left out: ${error.message}`);
      }
    }
    return found;
  });
}

/** What two sides show under load: paragraphs of lines, and the same for programs. */
export interface ComparedLoads {
  readonly paragraphs: readonly (readonly string[])[];
  readonly document: ReturnType<typeof comparisonDocument>;
}

/** Compares the load tests of both sides' captures; null unless each side has its own. */
export async function comparedLoads(
  before: readonly WithDocument[],
  after: readonly WithDocument[],
  library: string | undefined,
): Promise<ComparedLoads | null> {
  const { comparison } = sweepsOf(await loadsOf(before, after, library));
  if (comparison === null) return null;
  const said = concludeLoad(comparison, text);
  return {
    paragraphs: [said, ...comparedParagraphs(comparison, said)],
    document: comparisonDocument(comparison, text),
  };
}

/**
 * Returns the tables of components and series, before and after, and the notes, except for what is `said` already: each
 * the lines of a paragraph.
 */
export const comparedParagraphs = (comparison: LoadComparison, said: readonly string[]): string[][] => [
  ...tableOf(componentChanges(compareComponents(comparison), text, oneSidedComponents(comparison)), COMPONENTS_TEXT),
  ...tableOf(seriesChanges(compareSeries(comparison), text), SERIES_TEXT),
  comparisonNotes(comparison, text).flatMap((note) => (said.includes(note) ? [] : [`note: ${note}`])),
];

const tableOf = (table: LoadTable | null, caption: string): string[][] =>
  table === null ? [] : [[...alignColumns(table.header, table.rows, table.names), caption]];
