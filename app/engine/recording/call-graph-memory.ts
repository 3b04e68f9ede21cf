import * as z from 'zod';
import { isPreparedPython } from '#core/contract/python-launch.ts';
import type { Check, CollectorId, PerfOptions, Scope } from '#core/contract/schemas.ts';
import { isBeyond } from '#core/model/quality-grade.ts';
import type { AnyCollector, Collector, Preflight, Recording } from '#collectors/collector.ts';
import { perfCollector, preflightPerf } from '#collectors/perf/collector.ts';
import { hostPrefix, type PerfMemory } from '#collectors/perf/perf-memory.ts';
import { collectors } from '#collectors/registry.ts';
import { createStapCollector } from '#collectors/stap/collector.ts';
import { readBuildId } from '#collectors/target/elf.ts';
import type { Target } from '#collectors/target/target.ts';
import { openConfigFile } from '../config/config-file.ts';
import { openHostMemory } from './host-memory.ts';

/** How callers in a build are found: `fp` if frame pointers give whole stacks. */
type FoundMode = 'fp' | 'dwarf';

/** What recordings showed about builds, by build ID of the recorded executable; a build is the same on every host. */
export interface CallGraphMemory {
  /** What perf can do on hosts, so that it is not tried again for each recording. */
  readonly hosts: PerfMemory;
  find(buildId: string): FoundMode | null;
  /** A result that cannot be written lasts until this process ends. */
  remember(buildId: string, mode: FoundMode): Promise<void>;
  close(): Promise<void>;
}

/** Maximum number of builds, most recent first; a build ID has 40 bytes. */
const MAX_BUILDS = 2000;
const HEAD_BYTES = 64 << 10;

const rowSchema = z.object({ buildId: z.string().regex(/^[0-9a-f]{2,128}$/), mode: z.enum(['fp', 'dwarf']) });
type CallGraphRow = z.infer<typeof rowSchema>;

export async function openCallGraphMemory(folder: string): Promise<CallGraphMemory> {
  const file = await openConfigFile<readonly CallGraphRow[]>({
    folder,
    name: 'call-graphs.json',
    initial: [],
    read: ({ builds }) => {
      const rows = Array.isArray(builds) ? builds.map((row: unknown) => rowSchema.safeParse(row)) : [];
      const usable = rows.flatMap((row) => (row.success ? [row.data] : [])).slice(0, MAX_BUILDS);
      const lost = rows.length - usable.length;
      return { value: usable, problems: lost === 0 ? [] : [`${lost} of its builds are not valid`] };
    },
    write: (builds) => ({ builds }),
  });
  const hosts = await openHostMemory(folder);
  return {
    hosts,
    find: (buildId) => file.get().find((row) => row.buildId === buildId)?.mode ?? null,
    async remember(buildId, mode) {
      if (file.get().some((row) => row.buildId === buildId && row.mode === mode)) return;
      const others = (rows: readonly CallGraphRow[]): CallGraphRow[] => rows.filter((row) => row.buildId !== buildId);
      await file.edit((rows) => [{ buildId, mode }, ...others(rows)].slice(0, MAX_BUILDS)).catch(() => null);
    },
    async close() {
      await Promise.all([file.close(), hosts.close()]);
    },
  };
}

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
 * Returns the collector of an ID. perf's learns which builds need other call graphs, and plans accordingly; SystemTap's
 * opens the targets on which it compiles by `open`.
 */
export function rememberingCollector(
  id: CollectorId,
  memory: CallGraphMemory | undefined,
  open?: (targetId: string) => Promise<Target>,
): AnyCollector {
  if (id === 'stap' && open !== undefined) return createStapCollector(open);
  return id === 'perf' && memory !== undefined
    ? withMemory(withHosts(perfCollector, memory.hosts), memory)
    : collectors[id];
}

/** Returns a collector that skips trial runs with known results; a failed recording discards those results. */
function withHosts(collector: Collector<PerfOptions>, hosts: PerfMemory): Collector<PerfOptions> {
  return {
    ...collector,
    preflight: (target, options) => preflightPerf(target, options, hosts),
    start(target, plan, sink, clock, streams) {
      const recording = collector.start(target, plan, sink, clock, streams);
      void recording.outcome.then(({ state }) => (state === 'failed' ? hosts.forget(hostPrefix(target)) : undefined));
      return recording;
    },
  };
}

/**
 * Returns perf's collector with a memory: its plans use what earlier recordings of the build showed, and its recordings
 * add to it.
 */
export function withMemory(
  collector: Collector<PerfOptions>,
  memory: Pick<CallGraphMemory, 'find' | 'remember'>,
): Collector<PerfOptions> {
  return {
    ...collector,
    async preflight(target, options): Promise<Preflight<PerfOptions>> {
      const { callGraph, scope } = options;
      const isJudged = (callGraph === 'auto' || callGraph === 'fp') && isPreparedPython(scope) !== true;
      const buildId = isJudged ? await buildIdOf(target, scope).catch(() => null) : null;
      const known = buildId === null ? null : memory.find(buildId);
      if (known === null || known === callGraph) return collector.preflight(target, options);
      if (callGraph === 'auto') {
        const planned = await collector.preflight(target, { ...options, callGraph: known });
        return { ...planned, checks: [...planned.checks, remembered(known)] };
      }
      const planned = await collector.preflight(target, options);
      return { ...planned, checks: [...planned.checks, CUT_BEFORE] };
    },
    start(target, plan, sink, clock, streams) {
      const recording = collector.start(target, plan, sink, clock, streams);
      return plan.options.callGraph === 'fp'
        ? learnFrom(recording, buildIdOf(target, plan.options.scope), memory)
        : recording;
    },
  };
}

/** Number of samples needed to judge a build's stacks. */
const ENOUGH_SAMPLES = 100;

/**
 * Records what a recording shows about frame pointers: that stacks are truncated, as soon as that is found, or that
 * they were whole to the end.
 */
function learnFrom(
  recording: Recording,
  build: Promise<string | null>,
  memory: Pick<CallGraphMemory, 'remember'>,
): Recording {
  const known = build.catch(() => null);
  let isFound = false;
  const remember = async (mode: FoundMode): Promise<void> => {
    const buildId = await known;
    if (buildId !== null) await memory.remember(buildId, mode);
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

const remembered = (mode: FoundMode): Check => ({
  id: 'call-graph',
  status: 'ok',
  found: `${mode}: this build’s stacks were ${mode === 'fp' ? 'complete' : 'truncated'} with frame pointers`,
  remedy: null,
});

const CUT_BEFORE: Check = {
  id: 'call-graph',
  status: 'warning',
  found: 'this build’s stacks were truncated with frame pointers',
  remedy: 'use --call-graph dwarf',
};
