import { basename } from 'node:path';
import type { Check } from '#core/contract/schemas.ts';
import { countText } from '#core/units/format.ts';
import { checkOf } from '../check.ts';
import { checkMaps, checkProcessLimits } from '../doctor/limit-checks.ts';
import type { Survey } from '../doctor/survey.ts';
import type { CaptureSink, RecordingOutcome } from '../collector.ts';
import { explainRefusal, type PerfCapabilities } from './capabilities.ts';
import { startPerf } from './driver.ts';
import { jitAdvice, mayCompile } from './jit-maps.ts';
import { planPerf } from './plan.ts';
import { closedRoot, readProcessFacts, type ProcessFacts } from './process-facts.ts';
import { SYSTEM_CLOCK } from '../system-clock.ts';
import { readElfFacts } from '../target/elf.ts';
import { findProcess } from '../target/processes.ts';
import type { Target } from '../target/target.ts';

/** The trial ends with enough samples; it does not wait longer for a process that does little. */
const TRIAL = { seconds: 5, rateHz: 199 } as const;
const ENOUGH_SAMPLES = 150;
const MIN_SAMPLES = 20;

type Perf = PerfCapabilities | null;

/** Checks the expected quality of a recording of the process. Records it briefly. */
export async function* checkProcess(target: Target, pid: number, perf: Perf, survey: Survey): AsyncGenerator<Check> {
  const [row, facts] = await Promise.all([findProcess(target, pid), readProcessFacts(target, pid)]);
  if (row === null || facts === null) {
    yield checkOf('process', 'failed', `there is no process ${pid}`, 'choose a running one');
    return;
  }
  const runtime = row.runtime === null ? '' : `, ${row.runtime}`;
  yield checkOf('process', 'ok', `${row.name} (${pid}${runtime}) of user ${row.user}`);
  yield checkContainer(facts);
  yield checkProcessLimits(survey);
  yield checkMaps(survey);
  yield await checkDebugInfo(target, pid, row.executable);
  yield checkJitMap(facts);
  yield await checkStacks(target, facts, perf);
}

function checkContainer(facts: ProcessFacts): Check {
  const { ownRoot, container, innerPid, pid } = facts;
  const id = 'container';
  const closed = closedRoot(facts);
  if (closed !== null) return checkOf(id, 'warning', closed.message, closed.remedy);
  if (ownRoot === null) return checkOf(id, 'unknown', 'its namespaces can’t be read', 'run as root');
  if (!ownRoot && innerPid === pid) return checkOf(id, 'ok', 'none');
  const found = `${container ?? 'its own mount namespace'}, process ${innerPid} inside`;
  return checkOf(id, 'ok', found, 'keep the container running until the recording has ended');
}

async function checkDebugInfo(target: Target, pid: number, executable: string | null): Promise<Check> {
  const id = 'symbols';
  const elf = await readElfFacts(target, `/proc/${pid}/exe`);
  if (elf === null) return checkOf(id, 'unknown', 'its executable can’t be read', 'run as root');
  const { symbols, debugInfo, debugFile } = elf;
  const separate = debugFile !== null && (await target.stat(debugFile)) !== null;
  const name = (executable ?? '').replace(/^.*\//, '');
  if (separate) return checkOf(id, 'ok', `${name}: separate debug symbols installed`);
  if (debugInfo) return checkOf(id, 'ok', `${name}: symbols and debug info`);
  if (symbols) return checkOf(id, 'ok', `${name}: symbols, no debug info (no source lines)`);
  const remedy = 'install its debug symbols (package …-dbgsym), or build it without stripping';
  return checkOf(id, 'warning', `${name} is stripped: only its exported functions have names`, remedy);
}

function checkJitMap({ runtime, jitMap, innerPid }: ProcessFacts): Check {
  const id = 'jit-map';
  if (jitMap !== null) return checkOf(id, 'ok', `${basename(jitMap.path)}, ${jitMap.size} bytes`);
  if (!mayCompile(runtime)) return checkOf(id, 'ok', 'none, none needed');
  return checkOf(id, 'warning', `no perf-${innerPid}.map: compiled functions have no names`, jitAdvice(runtime));
}

/** Frame pointers are visible only in stacks, not in a binary. */
async function checkStacks(target: Target, facts: ProcessFacts, perf: Perf): Promise<Check> {
  const id = 'stacks';
  if (perf === null || perf.event === null) return checkOf(id, 'unknown', 'perf does not work here');
  const outcome = await recordBriefly(target, facts, perf, perf.event);
  if (outcome.error !== null) {
    const scope = { kind: 'pid', pid: facts.pid, startTicks: facts.startTicks } as const;
    const { message, remedy } = await explainRefusal(target, scope, outcome.error);
    return checkOf(id, 'failed', message, remedy);
  }
  const found = `${countText(outcome.samples, 'sample')} in ${((outcome.durationMs ?? 0) / 1000).toFixed(1)} s`;
  if (outcome.samples < MIN_SAMPLES) {
    const remedy = 'run it again while the process works';
    return checkOf(id, 'unknown', `${found}: too few to tell`, remedy);
  }
  const problem = outcome.diagnostics.find(
    ({ code }) => code === 'missing-frame-pointers' || code === 'unresolved-frames',
  );
  return problem === undefined
    ? checkOf(id, 'ok', `${found}, complete stacks with frame pointers`)
    : checkOf(id, 'warning', `${found}. ${problem.message}`, problem.remedy);
}

async function recordBriefly(
  target: Target,
  facts: ProcessFacts,
  perf: PerfCapabilities,
  event: string,
): Promise<RecordingOutcome> {
  const { pid, startTicks } = facts;
  const plan = planPerf(
    { ...perf, event, privileged: false, remote: target.kind !== 'local', sudo: null, stdbuf: null },
    { collector: 'perf', scope: { kind: 'pid', pid, startTicks }, event: null, callGraph: 'fp', ...TRIAL },
  );
  const recording = startPerf(target, plan, filesInMemory(), SYSTEM_CLOCK);
  recording.onProgress(({ samples }) => {
    if (samples >= ENOUGH_SAMPLES) void recording.stop();
  });
  return recording.outcome;
}

/** Keeps a few seconds of a recording in memory, to be read back: a megabyte. */
function filesInMemory(): CaptureSink {
  const files = new Map<string, Uint8Array[]>();
  return {
    append: (fileName, bytes) => {
      files.set(fileName, [...(files.get(fileName) ?? []), bytes.slice()]);
      return Promise.resolve();
    },
    async *read(fileName) {
      yield* files.get(fileName) ?? [];
    },
    async replace(fileName, chunks) {
      const again: Uint8Array[] = [];
      for await (const chunk of chunks) again.push(chunk.slice());
      files.set(fileName, again);
    },
  };
}
