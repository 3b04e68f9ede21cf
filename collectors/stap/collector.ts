import { RECIPES } from '#core/contract/recipes.ts';
import type { Check } from '#core/contract/schemas.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import { checkOf } from '../check.ts';
import type { Collector, Preflight } from '../collector.ts';
import { installPackage } from '../install-package.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';
import type { Target } from '../target/target.ts';
import type { RecipeOutput } from '../live/recipe-cutter.ts';
import { traceLive } from '../trace-live.ts';
import { traceTitle, withStartTime } from '../trace-process.ts';
import { readBack } from '../trace-read-back.ts';
import { TraceRecording } from '../trace-recording.ts';
import { toFailure } from '../recording-failure.ts';
import { knownBreak } from './availability.ts';
import { cacheOf, planBuild, type OpenTarget } from './build-host.ts';
import {
  checkKernel,
  checkPrivilege,
  checkProcess,
  checkQueries,
  findStap,
  findStaprun,
  hasBareVmlinux,
} from './checks.ts';
import { createStapTool } from './driver.ts';
import { checkLuaJit } from './luajit.ts';
import { needsSymbols, planStap, RAW_FILE } from './plan.ts';

/** The output of `stapScript`, which prints with the next event of the process. */
export const STAP_OUTPUT: RecipeOutput = {
  row: /^row (\d{1,15}) /,
  isPeriodic: false,
  frame: /^ (0x[0-9a-f]{1,16})(?: : (.*))?$/,
};

/**
 * Returns the collector of stacks by kernel modules that SystemTap compiles from recipes or from a script of the user's. `open` opens the
 * targets on which modules may be compiled; absent: only on the recorded one.
 */
export const createStapCollector = (open?: OpenTarget): Collector<StapOptions> => ({
  id: 'stap',
  label: 'SystemTap (Linux)',
  output: { primaryFile: RAW_FILE, otherFiles: [], format: 'stap' },
  with: ({ openTarget }) => createStapCollector(openTarget),
  preflight: (target, given) => preflightStap(target, given, open),
  start: (target, plan, sink, clock) => new TraceRecording(createStapTool(open), target, plan, sink, clock),
  scope: ({ scope }) => scope,
  title: traceTitle,
  live: traceLive({ name: 'stap', rawFile: RAW_FILE }, STAP_OUTPUT),
  async recover(_target, sink) {
    return { ...(await readBack(sink, RAW_FILE)), diagnostics: [] };
  },
});

export const stapCollector = createStapCollector();

async function preflightStap(
  target: Target,
  given: StapOptions,
  open: OpenTarget | undefined,
): Promise<Preflight<StapOptions>> {
  const builder = await openBuilder(target, given, open);
  if ('status' in builder) return { checks: [builder], plan: null };
  const [stap, staprunPath, privilege, { release, headers }, { process, mapped, binary, checks: ofProcess }] =
    await Promise.all([
      findStap(builder),
      findStaprun(target),
      checkPrivilege(target, given.asRoot === true),
      checkKernel(target, builder),
      checkProcess(target, given),
    ]);
  const binaries = mapped?.paths ?? [];
  const asked = { release, needsSymbols: needsSymbols(given), binaries, binary, hasSudo: privilege.sudo !== null };
  const elsewhere =
    given.buildOn === undefined || release === null
      ? { build: null, checks: [] }
      : await planBuild(builder, target, { ...asked, release, on: given.buildOn });
  const { build } = elsewhere;
  const where = (machine: Target): string => (given.buildOn === undefined ? '' : ` on ${machine.host}`);
  const broken = given.mend === true ? null : knownBreak(stap?.version ?? null, release);
  const [hidesSymbols, empty] = await Promise.all([
    release === null ? Promise.resolve(false) : hasBareVmlinux(builder, release),
    given.mend === true
      ? Promise.resolve(null)
      : checkQueries(builder, build === null ? {} : { SYSTEMTAP_DIR: cacheOf(build) }),
  ]);
  const isLua = given.what.kind === 'recipe' && RECIPES[given.what.recipe].binary === 'luajit';
  // stap reads the types of the files that it compiles with.
  const typed = build === null || build.root !== null ? target : builder;
  const lua = !isLua || binary === null || mapped === null ? null : await checkLuaJit(typed, binary, mapped);
  const checks = [
    stap === null ? await missing(builder, 'systemtap', where(builder)) : found(stap.version, where(builder)),
    ...(staprunPath === null && (stap !== null || builder !== target)
      ? [await missing(target, 'systemtap-runtime', where(target))]
      : []),
    privilege.check,
    headers,
    ...elsewhere.checks,
    ...[broken, empty].filter((check) => check !== null),
    ...ofProcess,
    ...(lua === null ? [] : [lua]),
    ...(mapped === null || mapped.check === null ? [] : [mapped.check]),
  ];
  const isLacking = stap === null || staprunPath === null || (given.buildOn !== undefined && build === null);
  if (isLacking || checks.some(({ status }) => status === 'failed')) return { checks, plan: null };
  const options = withStartTime(given, process);
  const facts = {
    stapPath: stap.path,
    staprunPath,
    version: stap.version,
    release,
    hidesSymbols,
    binary,
    binaries,
    build,
    sudo: privilege.sudo,
  };
  return { checks, plan: planStap(facts, options) };
}

/** Opens the machine that compiles. */
async function openBuilder(
  target: Target,
  { buildOn }: StapOptions,
  open: OpenTarget | undefined,
): Promise<Target | Check> {
  if (buildOn === undefined) return target;
  if (open === undefined)
    return checkOf(
      'build-host',
      'failed',
      'nothing can be compiled on another machine here',
      'leave the build host out',
    );
  try {
    return await open(buildOn);
  } catch (error) {
    const { message, remedy } = toFailure(error);
    return checkOf('build-host', 'failed', `${buildOn}: ${message.replace(/\.$/, '')}`, remedy);
  }
}

const found = (version: string | null, where: string): Check =>
  checkOf(
    'stap',
    version === null ? 'unknown' : 'ok',
    (version === null ? 'stap did not print its version' : `stap ${version}`) + where,
  );

async function missing(target: Target, name: 'systemtap' | 'systemtap-runtime', where: string): Promise<Check> {
  const { distributions } = await readKernelSettings(target);
  const remedy = installPackage(distributions, name);
  const what = name === 'systemtap' ? 'SystemTap' : 'SystemTap’s staprun';
  return checkOf('stap', 'failed', `${what} is not installed${where}`, remedy);
}
