import * as z from 'zod';
import { isPreparedPython } from '#core/contract/python-launch.ts';
import type { Check, PerfOptions, Scope } from '#core/contract/schemas.ts';
import { isBeyond } from '#core/model/quality-grade.ts';
import { checkOf } from '../check.ts';
import type { Collector, CollectorMemory, MemoryFile, Recording } from '../collector.ts';
import { readBuildId } from '../target/elf.ts';
import type { Target } from '../target/target.ts';
import { forgetHost, PERF_HOSTS } from './perf-memory.ts';

const HEAD_BYTES = 64 << 10;

const rowSchema = z.object({
  buildId: z.string().regex(/^[0-9a-f]{2,128}$/),
  /** How callers in the build are found: `fp` if frame pointers give whole stacks. */
  mode: z.enum(['fp', 'dwarf']),
});
type Build = z.infer<typeof rowSchema>;

/** What recordings showed about builds, by build ID of the recorded executable; a build is the same on every host. */
export const BUILDS: MemoryFile<Build> = {
  fileName: 'call-graphs.json',
  list: 'builds',
  row: rowSchema,
  maxRows: 2000,
};

/**
 * Returns the build ID of the recorded executable, read from the file; null for the whole system, and if it has none.
 */
export async function buildIdOf(target: Target, scope: Scope): Promise<string | null> {
  if (scope.kind === 'system' || scope.kind === 'cgroup') return null;
  const program = scope.kind === 'pid' ? `/proc/${scope.pid}/exe` : await target.findExecutable(scope.argv[0] ?? '');
  if (program === null) return null;
  const [head] = await target.readRanges([{ path: program, offset: 0, length: HEAD_BYTES }]).catch(() => [null]);
  return head === null || head === undefined ? null : readBuildId(head);
}

/**
 * Returns perf's collector with a memory: its plans use what earlier recordings of the build showed, its recordings add
 * to it, and a failed one discards what is known of the host.
 */
export const withMemory = (collector: Collector<PerfOptions>, memory: CollectorMemory): Collector<PerfOptions> => ({
  ...collector,
  async preflight(target, options) {
    const { callGraph, scope } = options;
    const isJudged = (callGraph === 'auto' || callGraph === 'fp') && isPreparedPython(scope) !== true;
    const buildId = isJudged ? await buildIdOf(target, scope).catch(() => null) : null;
    const known = (await memory.table(BUILDS)).get().find((row) => row.buildId === buildId)?.mode;
    if (known === undefined || known === callGraph) return collector.preflight(target, options);
    const isAuto = callGraph === 'auto';
    const planned = await collector.preflight(target, isAuto ? { ...options, callGraph: known } : options);
    return { ...planned, checks: [...planned.checks, isAuto ? remembered(known) : CUT_BEFORE] };
  },
  start(target, plan, sink, clock, streams) {
    const recording = collector.start(target, plan, sink, clock, streams);
    void recording.outcome.then(async ({ state }) => {
      if (state === 'failed') await forgetHost(await memory.table(PERF_HOSTS), target);
    });
    return plan.options.callGraph === 'fp'
      ? learnFrom(recording, buildIdOf(target, plan.options.scope), memory)
      : recording;
  },
});

/** Number of samples needed to judge a build's stacks. */
const ENOUGH_SAMPLES = 100;

/**
 * Records what a recording shows about frame pointers: that stacks are truncated, as soon as that is found, or that
 * they were whole to the end.
 */
function learnFrom(recording: Recording, build: Promise<string | null>, memory: CollectorMemory): Recording {
  const known = build.catch(() => null);
  let isFound = false;
  const remember = async (mode: Build['mode']): Promise<void> => {
    const buildId = await known;
    if (buildId === null) return;
    const builds = await memory.table(BUILDS);
    if (builds.get().some((row) => row.buildId === buildId && row.mode === mode)) return;
    await builds.edit((rows) => [{ buildId, mode }, ...rows.filter((row) => row.buildId !== buildId)]);
  };
  recording.onProgress(({ finding }) => {
    if (finding === undefined || isFound) return;
    isFound = true;
    void remember('dwarf');
  });
  return {
    onProgress: (listener) => recording.onProgress(listener),
    stop: () => recording.stop(),
    cancel: () => recording.cancel(),
    outcome: recording.outcome.then(async (outcome) => {
      const { state, quality, samples } = outcome;
      if (state === 'finished' && quality !== null && samples >= ENOUGH_SAMPLES) {
        await remember(isBeyond(quality, 'unrooted') ? 'dwarf' : 'fp');
      }
      return outcome;
    }),
  };
}

const remembered = (mode: Build['mode']): Check =>
  checkOf(
    'call-graph',
    'ok',
    `${mode}: this build’s stacks were ${mode === 'fp' ? 'complete' : 'truncated'} with frame pointers`,
  );

const CUT_BEFORE: Check = checkOf(
  'call-graph',
  'warning',
  'this build’s stacks were truncated with frame pointers',
  'use --call-graph dwarf',
);
