const STEPS: readonly (readonly [milliseconds: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** Formats a duration in one unit, for a narrow column: `5 min`, `3 h`, `12 d`; `now` below a minute. */
export function formatAge(milliseconds: number): string {
  const step = STEPS.find(([least]) => milliseconds >= least);
  return step === undefined ? 'now' : `${Math.floor(milliseconds / step[0])} ${step[1]}`;
}
