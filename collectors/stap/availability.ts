import type { RecipeId } from '#core/contract/bpftrace.ts';
import { RECIPES } from '#core/contract/recipes.ts';
import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import { checkStapKernel } from '../doctor/stap-check.ts';
import { surveyTarget } from '../doctor/survey.ts';
import { installPackage } from '../install-package.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';
import type { Target } from '../target/target.ts';
import type { KernelRelease } from '../target/target-words.ts';
import { checkKernel, checkPrivilege, findStap, findStaprun, type RunningKernel } from './checks.ts';

/** Checks which recipes SystemTap can run for the target's user, without compiling anything. */
export async function checkRecipes(target: Target): Promise<(recipe: RecipeId) => Check> {
  const kernel = await checkKernel(target);
  const [tool, symbols] = await Promise.all([checkStap(target, kernel), checkKernelSymbols(target, kernel.release)]);
  // Where only modules are loaded, the table that counts is the build host's.
  const works = (tool.status === 'ok' || tool.status === 'unknown') && tool.found !== ONLY_STAPRUN;
  return (recipe) => (RECIPES[recipe].hasFunction && works ? symbols : tool);
}

/** Checks the program, what it compiles with, the right to load modules, and whether it is known to fail. */
async function checkStap(target: Target, { release, headers }: RunningKernel): Promise<Check> {
  const [survey, stap, { check: right }] = await Promise.all([
    surveyTarget(target, null),
    findStap(target),
    checkPrivilege(target, false),
  ]);
  const hopeless = survey === null ? null : checkStapKernel(survey);
  if (hopeless !== null) return hopeless;
  if (stap === null && (await findStaprun(target)) !== null) {
    const found = right.status === 'ok' ? ONLY_STAPRUN : right.found;
    return checkOf('stap', right.status === 'ok' ? 'unknown' : 'warning', found, right.remedy);
  }
  if (stap === null) {
    const { distributions } = await readKernelSettings(target);
    const remedy = installPackage(distributions, 'systemtap');
    return checkOf('stap', 'absent', 'SystemTap is not installed; perf does not need it', remedy);
  }
  const broken = knownBreak(stap.version, release);
  const lack = [headers, right].find(({ status }) => status !== 'ok');
  return broken ?? lack ?? checkOf('stap', 'ok', `stap ${stap.version ?? ''}`.trim());
}

const ONLY_STAPRUN = 'only staprun is installed: compile on another host (--build-on)';

/** Versions of SystemTap and beginnings of kernel releases that fail together unless the runtime is patched. */
const BREAKS: readonly (readonly [version: string, release: RegExp, found: string])[] = [
  ['4.8', /^6\.1\./, 'stap 4.8 does not compile for today’s 6.1 kernels unless its runtime is mended'],
  [
    '5.1',
    /^6\.(?:1[2-9]|[2-9]\d)\./,
    'modules of stap 5.1 do not start on kernels from 6.12 on unless its runtime is mended',
  ],
];

/** Returns a warning if SystemTap's version is known to fail on the kernel. */
export function knownBreak(version: string | null, release: string | null): Check | null {
  const row = BREAKS.find(([ofStap, kernel]) => ofStap === version && kernel.test(release ?? ''));
  const remedy = 'mend a copy of its runtime (--mend); or install SystemTap 5.2 or newer';
  return row === undefined ? null : checkOf('stap', 'warning', row[2], remedy);
}

/** Files that may contain the kernel's symbols. Debian's package of the kernel has a System.map of one line. */
const SYMBOL_FILES = (release: KernelRelease): string[] => [
  `/boot/System.map-${release}`,
  `/usr/lib/debug/boot/System.map-${release}`,
  `/usr/lib/debug/boot/vmlinux-${release}`,
  `/usr/lib/debug/lib/modules/${release}/vmlinux`,
];
const LEAST_BYTES = 4096;

/** Checks whether there is a table of the kernel's symbols, without which stap can't compile returns of functions. */
async function checkKernelSymbols(target: Target, release: KernelRelease | null): Promise<Check> {
  const files = await Promise.all(
    release === null ? [] : SYMBOL_FILES(release).map((path) => target.stat(path).catch(() => null)),
  );
  if (files.some((file) => file !== null && file.size > LEAST_BYTES)) {
    return checkOf('kernel-symbols', 'ok', 'the kernel has a table of symbols');
  }
  return checkOf(
    'kernel-symbols',
    'warning',
    'SystemTap finds no table of the kernel’s symbols',
    'run: sudo stap-prep; or: sudo sh -c "cat /proc/kallsyms > /boot/System.map-$(uname -r)"',
  );
}
