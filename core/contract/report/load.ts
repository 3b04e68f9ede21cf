import * as z from 'zod/mini';
import { probeSampleSchema } from '../load/probe-sample.ts';
import { loadResultSchema, runSeriesSchema } from '../load/result.ts';
import type { LoadRun, LoadTest } from '../load/load-test.ts';

/** A load test in a report: its runs, without the tools' outputs and the captures. */

const MAX_RUNS = 1000;
const MAX_LIST = 1000;

const word = z.string().check(z.maxLength(10_000));
const amount = z.number().check(z.nonnegative());
const orNull = z.nullable(amount);
const list = <T extends z.core.$ZodType>(of: T) => z.array(of).check(z.maxLength(MAX_LIST));

const runSchema = z.object({
  startedAt: orNull,
  result: loadResultSchema,
  vitals: z.exactOptional(list(runSeriesSchema)),
  isExtra: z.exactOptional(z.literal(true)),
});

const probeSchema = z.object({
  plan: z.object({ url: word, headers: list(word), times: amount, restart: z.nullable(word), idle: amount }),
  samples: list(probeSampleSchema),
  notes: z.exactOptional(list(word)),
});

export const reportLoadSchema = z.object({
  /**
   * The side whose captures were recorded during it; `only`: both sides, or there is no comparison; `hop`: one of
   * several hops, the innermost first.
   */
  side: z.enum(['only', 'before', 'after', 'hop']),
  name: word,
  /** Exactly what ran; absent: unknown. */
  commands: z.exactOptional(list(list(word))),
  runs: z.array(runSchema).check(z.maxLength(MAX_RUNS)),
  /** What the knee must meet; absent: the default. */
  knee: z.exactOptional(z.object({ leastSuccess: amount, mostLatency: orNull })),
  /** Probes of one URL instead of runs. */
  probe: z.exactOptional(probeSchema),
});
export type ReportLoad = z.infer<typeof reportLoadSchema>;

/** Returns what a report keeps of a load test. */
export function reportLoadOf(
  side: ReportLoad['side'],
  {
    name,
    commands,
    probe,
    runs,
    plan,
    knee = plan?.knee,
  }: Pick<ReportLoad, 'name' | 'commands' | 'probe' | 'knee'> & {
    readonly runs: readonly LoadRun[];
    readonly plan?: LoadTest['plan'];
  },
): ReportLoad {
  return {
    side,
    name,
    ...(commands === undefined ? {} : { commands: commands.slice(0, MAX_LIST) }),
    runs: runs.slice(0, MAX_RUNS).map(({ startedAt, result, vitals, isExtra }) => ({
      startedAt,
      result,
      ...(vitals === undefined ? {} : { vitals }),
      ...(isExtra === undefined ? {} : { isExtra }),
    })),
    ...(knee === undefined ? {} : { knee }),
    ...(probe === undefined ? {} : { probe }),
  };
}

/** Returns the side to which each load test belongs, by the IDs that the captures state. */
export function loadSides(
  before: readonly (string | undefined)[],
  after: readonly (string | undefined)[] | null,
): { readonly id: string; readonly side: ReportLoad['side'] }[] {
  const known = (ids: readonly (string | undefined)[]): string[] => [...new Set(ids.filter((id) => id !== undefined))];
  const [first, second] = [known(before), after === null ? null : known(after)];
  if (second === null) return first.map((id) => ({ id, side: 'only' }));
  const shared = first.filter((id) => second.includes(id));
  if (shared.length > 0 && first.length === shared.length && second.length === shared.length) {
    return shared.map((id) => ({ id, side: 'only' }));
  }
  return [
    ...first.map((id) => ({ id, side: 'before' as const })),
    ...second.map((id) => ({ id, side: 'after' as const })),
  ];
}
