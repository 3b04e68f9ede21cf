import { listText } from '../units/list-text.ts';
import { otherTypesWithWeight } from '../analyze/other-value-types.ts';
import type { CompareWarning } from './compare-warning.ts';
import type { MeasuredCapture } from './measure/measured-capture.ts';
import { COLUMN, type ComparedCapture } from './measure/measure-capture.ts';
import type { ComparisonDesign } from './measure/measures.ts';

/** Warns about sums that exceed the exact range of doubles. */
export function roundingWarnings(captures: readonly MeasuredCapture[]): CompareWarning[] {
  const beyond = captures.filter(({ whole }) => Math.abs(whole[COLUMN.weight]!) > Number.MAX_SAFE_INTEGER);
  if (beyond.length === 0) return [];
  const names = listText(beyond.map(({ facts }) => facts.name));
  return [
    { code: 'rounded-sums', message: `Weights of ${names} add up to more than 2^53: sums are rounded to 15 digits.` },
  ];
}

/**
 * Warns about captures in which nothing is selected, and names the value types in which the same selection has weight.
 */
export function emptyWarnings(
  captures: readonly ComparedCapture[],
  measured: readonly MeasuredCapture[],
): CompareWarning[] {
  const empty = captures.filter((_, place) => measured[place]!.view.sampleCount === 0);
  if (empty.length === 0) return [];
  const names = listText(empty.map(({ facts }) => facts.name));
  const others = empty.flatMap(({ profile, selection, transforms }) =>
    otherTypesWithWeight(profile, selection, transforms).map((row) => {
      const { type, unit } = profile.valueTypes[row]!;
      return `${type}/${unit}`;
    }),
  );
  const choice =
    others.length === 0 ? '' : ` Choose a value type that is not empty there: ${[...new Set(others)].join(', ')}.`;
  const values = empty.length === 1 ? 'its values are' : 'their values are';
  return [{ code: 'empty-capture', message: `The selection has no weight in ${names}; ${values} 0.${choice}` }];
}

/** Explains what the captures' hosts and number allow the comparison to conclude. */
export function designWarnings({
  isReplicated,
  isPaired,
  sharesHost,
  unpairedHosts,
}: ComparisonDesign): CompareWarning[] {
  const warnings: CompareWarning[] = [];
  if (!sharesHost) {
    warnings.push({
      code: 'no-shared-host',
      message: 'No host is on both sides: differences may come from the hosts, so nothing is called grew or shrank.',
    });
    return warnings;
  }
  if (unpairedHosts.length > 0) {
    const names = listText(unpairedHosts.map((host) => host || 'an unknown one'));
    warnings.push({
      code: 'unpaired-hosts',
      message: `Captures of hosts that are on one side only (${names}) are left out of means, tests and intervals.`,
    });
  }
  if (isPaired) {
    warnings.push({
      code: 'paired-hosts',
      message: 'Host by host: too few runs per host, so the differences between hosts are the replicates.',
    });
  }
  if (!isReplicated) {
    warnings.push({
      code: 'within-this-run-only',
      message: 'Within this run only: fewer than 3 captures a side do not show run-to-run noise; record more.',
    });
  }
  return warnings;
}
