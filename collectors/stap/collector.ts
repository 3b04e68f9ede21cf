import { RECIPES } from '#core/contract/recipes.ts';
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
import { checkKernel, checkPrivilege, checkProcess, checkQueries, findStap, hasBareVmlinux } from './checks.ts';
import { stapTool } from './driver.ts';
import { checkLuaJit } from './luajit.ts';
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
  const [stap, staprunPath, privilege, { release, headers }, { process, mapped, binary, checks: ofProcess }] =
    await Promise.all([
      findStap(target),
      target.findExecutable('staprun'),
      checkPrivilege(target, given.asRoot === true),
      checkKernel(target),
      checkProcess(target, given),
    ]);
  const broken = given.mend === true ? null : knownBreak(stap?.version ?? null, release);
  const [hidesSymbols, empty] = await Promise.all([
    release === null ? Promise.resolve(false) : hasBareVmlinux(target, release),
    given.mend === true ? Promise.resolve(null) : checkQueries(target),
  ]);
  const isLua = given.what.kind === 'recipe' && RECIPES[given.what.recipe].binary === 'luajit';
  const lua = !isLua || binary === null || mapped === null ? null : await checkLuaJit(target, binary, mapped);
  const checks = [
    stap === null || staprunPath === null ? await missing(target) : found(stap.version),
    privilege.check,
    headers,
    ...[broken, empty].filter((check) => check !== null),
    ...ofProcess,
    ...(lua === null ? [] : [lua]),
    ...(mapped === null || mapped.check === null ? [] : [mapped.check]),
  ];
  if (stap === null || staprunPath === null || checks.some(({ status }) => status === 'failed')) {
    return { checks, plan: null };
  }
  const options = withStartTime(given, process);
  const facts = {
    stapPath: stap.path,
    staprunPath,
    version: stap.version,
    release,
    hidesSymbols,
    binary,
    binaries: mapped?.paths ?? [],
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
