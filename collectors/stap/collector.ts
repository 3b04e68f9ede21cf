import type { Check } from '#core/contract/schemas.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import type { Collector, Preflight } from '../collector.ts';
import { installPackage } from '../install-package.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';
import type { Target } from '../target/target.ts';
import { traceTitle, withStartTime } from '../trace-process.ts';
import { readBack } from '../trace-read-back.ts';
import { TraceRecording } from '../trace-recording.ts';
import { knownBreak } from './availability.ts';
import { checkKernel, checkPrivilege, checkProcess, findBinaries, findStap } from './checks.ts';
import { stapTool } from './driver.ts';
import { planStap, RAW_FILE } from './plan.ts';

/** Collects stacks by kernel modules that SystemTap compiles from recipes or from a script of the user's. */
export const stapCollector: Collector<StapOptions> = {
  id: 'stap',
  label: 'SystemTap (Linux)',
  output: { primaryFile: RAW_FILE, otherFiles: [], format: 'stap' },
  preflight: preflightStap,
  start: (target, plan, sink, clock) => new TraceRecording(stapTool, target, plan, sink, clock),
  planNext: (plan) => plan,
  scope: ({ scope }) => scope,
  title: traceTitle,
  correct: (options) => options,
  async recover(_target, sink) {
    return { ...(await readBack(sink, RAW_FILE)), diagnostics: [] };
  },
};

async function preflightStap(target: Target, given: StapOptions): Promise<Preflight<StapOptions>> {
  const [stap, staprunPath, privilege, { release, headers }, { process, checks: ofProcess }] = await Promise.all([
    findStap(target),
    target.findExecutable('staprun'),
    checkPrivilege(target, given.asRoot === true),
    checkKernel(target),
    checkProcess(target, given),
  ]);
  const binaries = process === null ? null : await findBinaries(target, process);
  const broken = knownBreak(stap?.version ?? null, release);
  const checks = [
    stap === null || staprunPath === null ? await missing(target) : found(stap.version),
    privilege.check,
    headers,
    ...(broken === null ? [] : [broken]),
    ...ofProcess,
    ...(binaries?.check === null || binaries === null ? [] : [binaries.check]),
  ];
  if (stap === null || staprunPath === null || checks.some(({ status }) => status === 'failed')) {
    return { checks, plan: null };
  }
  const options = withStartTime(given, process);
  const facts = {
    stapPath: stap.path,
    staprunPath,
    version: stap.version,
    executable: process?.executable ?? null,
    binaries: binaries?.paths ?? [],
    sudo: privilege.sudo,
  };
  return { checks, plan: planStap(facts, options) };
}

const found = (version: string | null): Check => ({
  id: 'stap',
  status: version === null ? 'unknown' : 'ok',
  found: version === null ? 'stap did not print its version' : `stap ${version}`,
  remedy: null,
});

async function missing(target: Target): Promise<Check> {
  const { distributions } = await readKernelSettings(target);
  const remedy = installPackage(distributions, 'systemtap');
  return { id: 'stap', status: 'failed', found: 'SystemTap is not installed', remedy };
}
