import type { Side } from '../contract/side.ts';

/** Whether the sides were recorded in turn, so that a drift of the machine affects both alike. */
export type RunOrder = 'in turn' | 'one after the other' | 'unknown';

/** A capture of a comparison with its start in milliseconds since 1970; null: unknown. */
interface StartedRun {
  readonly side: Side;
  readonly startedAt: number | null;
}

/** Returns the order of the runs: in turn if each side has a run before and one after a run of the other. */
export function runOrder(runs: readonly StartedRun[]): RunOrder {
  if (runs.some(({ startedAt }) => startedAt === null)) return 'unknown';
  const of = (side: Side): number[] => runs.flatMap((run) => (run.side === side ? [run.startedAt!] : []));
  const [before, after] = [of('before'), of('after')];
  if (before.length === 0 || after.length === 0) return 'unknown';
  const isFirst = Math.max(...before) <= Math.min(...after) || Math.max(...after) <= Math.min(...before);
  return isFirst ? 'one after the other' : 'in turn';
}
