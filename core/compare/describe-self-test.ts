import { visibleText } from '../analyze/function-label.ts';
import type { Formatter } from '../units/format.ts';
import { LEAST_SELF_TEST_CAPTURES, type SelfTestReport } from './statistics/self-test.ts';

/** The maximum share of a program's comparisons with itself that should report any change. */
const EXPECTED_ALARMS = 0.05;

/** Describes how the captures were split: `10 captures in two halves of 5, split in 100 of 126 ways`. */
export function selfTestMethod(report: SelfTestReport, { number }: Pick<Formatter, 'number'>): string {
  const { captures, perSide, partitions, possible, leftOut } = report;
  const hosts = leftOut === 0 ? '' : `; ${number(leftOut)} of other hosts left out`;
  return `${number(captures)} captures in two halves of ${perSide}, split in ${number(partitions)} of ${number(possible)} ways${hosts}`;
}

/**
 * `3 of 100 splits call a function grew or shrank (3.0 %), within the 5 % that chance allows`. It says *more than* if
 * the rate exceeds 5 % by two standard errors.
 */
export function falseAlarmText({ falseAlarms, partitions }: SelfTestReport, { number, share }: Formatter): string {
  const rate = share(falseAlarms, partitions);
  const error = Math.sqrt((EXPECTED_ALARMS * (1 - EXPECTED_ALARMS)) / partitions);
  const verdict = falseAlarms / partitions > EXPECTED_ALARMS + 2 * error ? 'more than' : 'within';
  return `${number(falseAlarms)} of ${number(partitions)} splits call a function grew or shrank (${rate}), ${verdict} the ${100 * EXPECTED_ALARMS} % expected by chance`;
}

/** Returns `+10 %`. */
export const slowdownText = (slowdown: number): string => `+${Number((100 * slowdown).toPrecision(4))} %`;

/** Explains why there is no report: too few captures of one host. */
export const tooFewForSelfTest = (captures: number): string =>
  `the self-test needs ${LEAST_SELF_TEST_CAPTURES} captures of one host, two halves of ${LEAST_SELF_TEST_CAPTURES / 2}, but there ${captures === 1 ? 'is' : 'are'} ${captures}`;

/** Returns a function's name as text. */
export const selfTestName = (name: string, module: string): string =>
  visibleText(module === '' ? name : `${name} ${module.startsWith('[') ? module : `[${module.split('/').at(-1)!}]`}`);
