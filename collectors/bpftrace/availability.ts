import type { RecipeId } from '#core/contract/bpftrace.ts';
import { RECIPES, type Recipe } from '#core/contract/recipes.ts';
import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import { installPackage } from '../install-package.ts';
import type { Target } from '../target/target.ts';
import { checkPrivilege, checkTracepoints, findBpftrace } from './checks.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';

/** Checks which recipes bpftrace can run for the target's user. */
export async function checkRecipes(target: Target): Promise<(recipe: RecipeId) => Promise<Check>> {
  const tool = await checkTool(target);
  return async (recipe) => {
    const { onlyStap }: Recipe = RECIPES[recipe];
    if (onlyStap !== null) return checkOf('recipe', 'absent', onlyStap);
    const tracepoints = tool.status === 'ok' ? await checkTracepoints(target, RECIPES[recipe]) : null;
    return tracepoints === null || tracepoints.status === 'ok' ? tool : tracepoints;
  };
}

/** Checks whether bpftrace is installed and may run. */
export async function checkTool(target: Target): Promise<Check> {
  const [bpftrace, { check }] = await Promise.all([findBpftrace(target), checkPrivilege(target, false)]);
  if (bpftrace === null) {
    const { distributions } = await readKernelSettings(target);
    return checkOf(
      'bpftrace',
      'absent',
      'bpftrace is not installed; perf does not need it',
      installPackage(distributions, 'bpftrace'),
    );
  }
  const version = `bpftrace ${bpftrace.version ?? '(unknown version)'}`;
  if (check.status === 'ok') return checkOf('bpftrace', 'ok', version);
  return checkOf('bpftrace', 'warning', `${version}; ${check.found}`, check.remedy);
}
