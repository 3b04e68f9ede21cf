const STEPS: readonly (readonly [milliseconds: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/**
 * Formats a duration in one unit, for a narrow column: `5 min`, `3 h`, `12 d`; `now` below a minute. A clock that was
 * set back since makes it negative: `in 3 d`.
 */
export function formatAge(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const step = STEPS.find(([least]) => size >= least);
  if (step === undefined) return 'now';
  return `${milliseconds < 0 ? 'in ' : ''}${Math.floor(size / step[0])} ${step[1]}`;
}
