import { WorkerFailure } from '../clients/worker-client.ts';
import type { Notice } from '../notice.ts';

/** How the numbers of one analysis compare with the worker's, each summed from a different source. */
interface NumberCheck {
  /** One line per contradiction; empty if the numbers agree. */
  readonly failures: readonly string[];
  /** One sentence for the case that they agree. */
  readonly agreement: string;
}

/** A tab's analysis as the check sees it: a profile's view or a comparison. */
export interface CheckedAnalysis {
  /** `this view`, `this comparison`. */
  readonly name: string;
  /** One sentence for the case that there is nothing to check. */
  readonly nothing: string;
  /** Waits for the analysis on screen and checks it; null if there is none. */
  readonly check: () => Promise<NumberCheck | null>;
}

/** Checks that the numbers on screen agree; checks again if a newer analysis replaces the one being checked. */
export async function checkNumbers({ name, nothing, check }: CheckedAnalysis): Promise<Omit<Notice, 'id'>> {
  for (;;) {
    try {
      const result = await check();
      if (result === null) return notice('info', nothing);
      const failures = [...new Set(result.failures)];
      if (failures.length === 0) return notice('info', result.agreement);
      return notice('error', `Numbers of ${name} differ: ${failures.join('; ')}.`);
    } catch (error) {
      if (!(error instanceof WorkerFailure && error.failure.code === 'stale')) throw error;
    }
  }
}

function notice(kind: Notice['kind'], text: string): Omit<Notice, 'id'> {
  const remedy = kind === 'error' ? 'This is a bug: report it with the file and the steps that led here.' : null;
  return { kind, text, remedy, action: null };
}
