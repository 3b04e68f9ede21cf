import { loadSides, reportLoadOf, type ReportLoad } from '#core/contract/report-load.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { withLoadTests } from '../load/inputs.ts';
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
