import type { Check } from '#core/contract/schemas.ts';
import type { Problem } from '../../ui/problem.ts';

/** The doctor's report on a target, possibly incomplete. */
export interface DoctorReport {
  /** ID of the run; checks of other runs are ignored. */
  readonly run: string;
  readonly pid: number | null;
  readonly checks: readonly Check[];
  readonly running: boolean;
  readonly problem: Problem | null;
}

/** Returns the first failed check, else the first warning; null if there is neither. */
export function worstCheck(checks: readonly Check[]): Check | null {
  return checks.find(({ status }) => status === 'failed') ?? checks.find(({ status }) => status === 'warning') ?? null;
}

/** Returns a summary such as `14 checks: 1 failed, 2 warnings`. */
export function reportSummary({ checks, running }: Pick<DoctorReport, 'checks' | 'running'>): string {
  const count = (status: Check['status']): number => checks.filter((check) => check.status === status).length;
  const parts = [
    [count('failed'), 'failed'],
    [count('warning'), count('warning') === 1 ? 'warning' : 'warnings'],
    [count('unknown'), 'unknown'],
  ] as const;
  const found = parts.flatMap(([number, name]) => (number === 0 ? [] : [`${number} ${name}`])).join(', ');
  const known = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`;
  if (running) return `${known} so far${found === '' ? '' : `: ${found}`}`;
  return `${known}: ${found === '' ? 'all passed' : found}`;
}

/** Returns the report as text, for sending to someone who can help. */
export function reportText(target: string, { checks, pid }: Pick<DoctorReport, 'checks' | 'pid'>): string {
  const lines = checks.flatMap(({ id, status, found, remedy }) => [
    `${status.padEnd(7)} ${id}: ${found}`,
    ...(remedy === null ? [] : [`        ${remedy}`]),
  ]);
  return [`Flamebench doctor on ${target}${pid === null ? '' : `, PID ${pid}`}`, ...lines].join('\n');
}
