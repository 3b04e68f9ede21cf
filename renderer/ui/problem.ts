/** A problem as the window shows it: in place, with a remedy and details to copy. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
  readonly details: string | null;
}

/** Returns the problem as text for the clipboard. */
export function problemText(problem: Problem): string {
  return [`${problem.code}: ${problem.message}`, problem.remedy, problem.details]
    .filter((line) => line !== null)
    .join('\n');
}
