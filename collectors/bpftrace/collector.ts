import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import { RECIPES } from '#core/contract/recipes.ts';
import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import type { Collector, Preflight } from '../collector.ts';
import { installPackage } from '../install-package.ts';
import type { Target } from '../target/target.ts';
import { checkFunction, checkPrivilege, checkProcess, checkTracepoints, findBpftrace } from './checks.ts';
import { TraceRecording } from '../trace-recording.ts';
import { bpftraceTool } from './driver.ts';
import { planBpftrace, RAW_FILE } from './plan.ts';
import { traceLive } from '../trace-live.ts';
import { traceTitle, withStartTime } from '../trace-process.ts';
import { readBack } from '../trace-read-back.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';

/** Collects stacks by BPF programs in the kernel, with recipes or with a script of the user's. */
export const bpftraceCollector: Collector<BpftraceOptions> = {
  id: 'bpftrace',
  label: 'bpftrace (Linux)',
  output: { primaryFile: RAW_FILE, otherFiles: [], format: 'bpftrace' },
  preflight: preflightBpftrace,
  start: (target, plan, sink, clock) => new TraceRecording(bpftraceTool, target, plan, sink, clock),
  scope: ({ scope }) => scope,
  title: traceTitle,
  live: traceLive(bpftraceTool, { row: /\]: (\d{1,19})$/, isPeriodic: true }),
  async recover(_target, sink) {
    return { ...(await readBack(sink, RAW_FILE)), diagnostics: [] };
  },
};

async function preflightBpftrace(target: Target, given: BpftraceOptions): Promise<Preflight<BpftraceOptions>> {
  const recipe = given.what.kind === 'recipe' ? RECIPES[given.what.recipe] : null;
  const [bpftrace, privilege, { process, binary, checks: ofProcess }, tracepoints] = await Promise.all([
    findBpftrace(target),
    checkPrivilege(target, given.asRoot === true),
    checkProcess(target, given),
    recipe === null ? null : checkTracepoints(target, recipe),
  ]);
  const ofFunction =
    bpftrace === null || process === null || privilege.sudo !== null || privilege.check.status !== 'ok'
      ? null
      : await checkFunction(target, bpftrace, given, process);
  const checks = [
    ...(recipe?.onlyStap === null || recipe === null ? [] : [lacking(recipe.onlyStap)]),
    bpftrace === null ? await missing(target) : found(bpftrace.version),
    privilege.check,
    ...ofProcess,
    ...[tracepoints, ofFunction].filter((check) => check !== null),
  ];
  if (bpftrace === null || checks.some(({ status }) => status === 'failed')) return { checks, plan: null };
  const options = withStartTime(given, process);
  const facts = {
    bpftracePath: bpftrace.path,
    version: bpftrace.version,
    binary,
    sudo: privilege.sudo,
  };
  return { checks, plan: planBpftrace(facts, options) };
}

const lacking = (why: string): Check => checkOf('recipe', 'failed', why, 'record with SystemTap');

const found = (version: string | null): Check =>
  checkOf(
    'bpftrace',
    version === null ? 'unknown' : 'ok',
    version === null ? 'bpftrace did not print its version' : `bpftrace ${version}`,
  );

async function missing(target: Target): Promise<Check> {
  const { distributions } = await readKernelSettings(target);
  const remedy = installPackage(distributions, 'bpftrace');
  return checkOf('bpftrace', 'failed', 'bpftrace is not installed', remedy);
}
