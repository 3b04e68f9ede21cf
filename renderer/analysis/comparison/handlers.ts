import { topMovers } from '#core/compare/top-movers.ts';
import type { CompareMethods, ComparisonSource } from './methods.ts';
import { pathDetail } from './requests.ts';
import type { CompareSession } from './session.ts';
import { carryRange } from './slices.ts';
import type { RequestHandlers } from '../serve-requests.ts';
import { sharedHandlers } from '../session.ts';

/** Returns the handlers of all requests about a comparison's captures. */
export function compareHandlers(session: CompareSession): RequestHandlers<Omit<CompareMethods, 'open' | 'cache'>> {
  return {
    ...sharedHandlers<ComparisonSource>(() => session),
    forget: ({ capture }) => {
      session.forget(capture);
      return null;
    },
    'carry-range': ({ revision, ...params }) => carryRange(session.at(revision).trees, params),
    'self-weights': async ({ revision, ...request }) =>
      (await import('./self-weights.ts')).compareSelfWeights(session.at(revision).trees, request),
    'describe-path': ({ revision, ...place }) => pathDetail(session.at(revision), place),
    'preview-rule': ({ revision, rule }) => session.previewRule(revision, rule),
    movers: ({ revision, most }) => {
      const { comparison, trees } = session.at(revision);
      return topMovers(comparison, trees.tree, most);
    },
    'self-test': async ({ revision, slowdown, func }) => {
      const { selfTest, selfTestCaptures } = await import('#core/compare/statistics/self-test.ts');
      const { comparison } = session.at(revision);
      const functions = func === null ? null : [func];
      return {
        report: selfTest(comparison, { slowdown, functions, isOneProgram: false }),
        captures: selfTestCaptures(comparison),
      };
    },
    'report-preview': ({ revision, choice }) => session.reportPreview(revision, choice),
    'report-file': ({ revision, ...choice }) => session.reportFile(revision, choice),
    advice: ({ revision, func }) => {
      const { advice } = session.at(revision).comparison;
      return { self: advice('self', func), total: advice('total', func) };
    },
  };
}
