import { cpus, platform, release } from 'node:os';
import * as z from 'zod';
import { readState, writeState } from '../output/state-file.ts';

const runSchema = z.object({
  at: z.number(),
  benchmark: z.string(),
  /** Both sides were the same program. */
  isSelfTest: z.boolean(),
  decision: z.enum(['failed', 'passed', 'inconclusive']),
  pairs: z.number(),
  /** Splits of the runs into A and A, and those in which a function was called grew or shrank. */
  splits: z.number(),
  falseAlarms: z.number(),
  /** {@link runnerKey}; absent in files of earlier versions. */
  runner: z.string().exactOptional(),
});
/** The result of one benchmark, kept for the rates of the next ones. */
export type GateRun = z.infer<typeof runSchema>;

const STATE = {
  schema: z.object({ schemaVersion: z.literal(1), runs: z.array(runSchema) }),
  of: 'the gate',
  maxBytes: 4 * 1024 * 1024,
};
/** Older runs say less about the runner as it is. */
const MOST_RUNS = 1000;

/**
 * Returns what makes runners alike: their names change with every job, while rates depend on processors and kernel.
 */
export const runnerKey = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'} × ${cpus().length}, ${platform()} ${release()}`.slice(0, 300);

/** Reads the runs that `--state` keeps; none if there is no file yet. */
export const readGateState = (path: string): GateRun[] => readState(path, STATE)?.runs ?? [];

export const writeGateState = (path: string, runs: readonly GateRun[]): void =>
  writeState(path, { schemaVersion: 1, runs: runs.slice(-MOST_RUNS) });

/** Says how often the gate was wrong where both sides were the same; null without such a run. */
export function stateText(runs: readonly GateRun[]): string | null {
  const tests = runs.filter(({ isSelfTest }) => isSelfTest);
  if (tests.length === 0) return null;
  const count = (decision: GateRun['decision']): number => tests.filter((run) => run.decision === decision).length;
  return `of ${tests.length} ${tests.length === 1 ? 'gate' : 'gates'} of a program against itself on runners like this one, ${count('failed')} failed and ${count('inconclusive')} ${count('inconclusive') === 1 ? 'was' : 'were'} inconclusive`;
}
