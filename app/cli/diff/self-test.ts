import { functionRef } from '#core/analyze/function-ref.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import {
  falseAlarmText,
  selfTestMethod,
  selfTestName,
  slowdownText,
  tooFewForSelfTest,
} from '#core/compare/describe-self-test.ts';
import { selfTest, selfTestCaptures, type SelfTestReport } from '#core/compare/statistics/self-test.ts';
import { csvText } from '#core/export/csv-text.ts';
import { createFormatter } from '#core/units/format.ts';
import { alignColumns } from '../output/align-columns.ts';
import type { SelfTestRequest } from './options.ts';
import { matchingFunctions } from '../input/matching-functions.ts';
import { usageError } from '../errors.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { jsonText } from '../output/json-text.ts';

const english = createFormatter('en');

/** Runs the self-test. Throws a usage error if there are too few captures or the pattern matches nothing. */
export async function runSelfTest(
  comparison: Comparison,
  { slowdown, slow, isOneProgram }: SelfTestRequest & { readonly isOneProgram: boolean },
  patterns: PatternRunner,
): Promise<SelfTestReport> {
  const functions = slow === null ? null : await matching(comparison, slow, patterns);
  const report = selfTest(comparison, { slowdown, functions, isOneProgram });
  if (report !== null) return report;
  throw usageError(
    tooFewForSelfTest(selfTestCaptures(comparison)),
    'record more runs, or name captures of earlier ones: flamebench diff --self-test IN…',
  );
}

async function matching(comparison: Comparison, pattern: string, patterns: PatternRunner): Promise<number[]> {
  const found = await matchingFunctions(comparison, pattern, patterns);
  if (found.length > 0) return found;
  throw usageError(
    `--slow ${pattern}: the pattern matches no function of these captures`,
    'check its spelling and case',
  );
}

export function selfTestAsText(comparison: Comparison, report: SelfTestReport): string {
  const nameOf = (func: number): string => {
    const { name, module } = functionRef(comparison.matched.table, func);
    return selfTestName(name, module);
  };
  const { alarming, power, partitions, slowdown } = report;
  const times = (count: number): string => `${count} of ${partitions}`;
  const found = alignColumns(
    ['share', 'found in', ''],
    power.map((one) => [english.share(one.share, 1), times(one.found), english.share(one.found, partitions)]),
  );
  const lines = [
    `self-test: ${selfTestMethod(report, english)}`,
    `false alarms: ${falseAlarmText(report, english)}`,
    ...alarming.map((one) => `  ${times(one.partitions)}  ${nameOf(one.func)}`),
    ...(power.length === 0
      ? ['no function has 1 % self weight: name one with --slow REGEX']
      : [
          '',
          `power: how often ${slowdownText(slowdown)} of one function is reported as grew`,
          ...found.map((line, place) =>
            place === 0 ? `${line}  function` : `${line}  ${nameOf(power[place - 1]!.func)}`,
          ),
        ]),
  ];
  return `${lines.map(escapeControls).join('\n')}\n`;
}

/** Returns a row for each function whose power was measured; lines above say how, and count the false alarms. */
export const selfTestAsCsv = (comparison: Comparison, report: SelfTestReport): string =>
  csvText(
    [
      `self-test: ${selfTestMethod(report, english)}`,
      `false alarms: ${falseAlarmText(report, english)}`,
      `found: splits of ${report.partitions} that report ${slowdownText(report.slowdown)} of the function as grew`,
    ],
    [
      { header: 'Function', cell: ({ func }) => functionRef(comparison.matched.table, func).name },
      { header: 'Module', cell: ({ func }) => functionRef(comparison.matched.table, func).module },
      { header: 'Share', cell: ({ share }) => share },
      { header: 'Found', cell: ({ found }) => found },
      { header: 'Power', cell: ({ found }) => found / report.partitions },
    ],
    report.power,
  );

/** Returns the documented JSON; see docs/cli.md. */
export function selfTestAsJson(comparison: Comparison, report: SelfTestReport): string {
  const { alarming, power, falseAlarms, partitions, ...rest } = report;
  const ref = (func: number): { name: string; module: string } => {
    const { name, module } = functionRef(comparison.matched.table, func);
    return { name, module };
  };
  return jsonText({
    selfTest: {
      ...rest,
      normalize: comparison.normalised.kind,
      partitions,
      falseAlarms: {
        partitions: falseAlarms,
        rate: falseAlarms / partitions,
        functions: alarming.map((one) => ({ ...ref(one.func), partitions: one.partitions })),
      },
      power: power.map(({ func, share, found }) => ({ ...ref(func), share, found, power: found / partitions })),
    },
  });
}
