import { existsSync } from 'node:fs';
import type { LoadTest } from '#core/contract/load-test.ts';
import { loadSides, reportLoadOf, type ReportLoad } from '#core/contract/report-load.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { usageError } from '../errors.ts';
import { withLoadTests } from '../load/inputs.ts';
import type { ReportRequest } from './options.ts';
import { warn } from '../output/terminal.ts';

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

/** Prefix of load-test ids; capture ids begin with a digit. */
const LOAD_ID = 'load-';

/** Returns the load tests that the words name by id or name; null if none of them names one. */
export async function loadTestsOf(
  words: readonly string[],
  { before, after, isComparison, library }: ReportRequest,
): Promise<ReportLoad[] | null> {
  const all = [...words, ...before, ...after];
  if (all.some((word) => word === '-' || word.includes('/') || existsSync(word))) return null;
  const tests = await withLoadTests(library, async (loads) => (await loads.list()).tests);
  const found = all.map((word) => theTest(tests, word));
  if (found.every((test) => test === null)) return null;
  const other = all[found.indexOf(null)];
  if (other !== undefined) {
    throw usageError(
      `${other} is not a load test`,
      'a report is of load tests or of captures; captures recorded under load bring theirs along',
    );
  }
  if (found.length !== (isComparison ? 2 : 1)) {
    throw usageError(`${found.length} load tests`, 'name one, or two with --compare');
  }
  if (new Set(found.map((test) => test!.probe === undefined)).size > 1) {
    throw usageError(`${all.join(' and ')} are a sweep and probes`, 'compare two of one kind');
  }
  return found.map((test, place) => reportLoadOf(isComparison ? (place === 0 ? 'before' : 'after') : 'only', test!));
}

/** Returns the load test with this id, name or unique start of an id; null: none. */
function theTest(tests: readonly LoadTest[], word: string): LoadTest | null {
  const exact = tests.filter(({ id, name }) => id === word || name === word);
  const near = exact.length > 0 || !word.startsWith(LOAD_ID) ? exact : tests.filter(({ id }) => id.startsWith(word));
  if (near.length > 1) {
    throw usageError(
      `${word} could be ${near
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}`,
      'give the id',
    );
  }
  return near[0] ?? null;
}
