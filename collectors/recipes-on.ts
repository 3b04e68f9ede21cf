import { RECIPE_IDS, type RecipeId } from '#core/contract/bpftrace.ts';
import type { Check } from '#core/contract/schemas.ts';
import { checkRecipes as checkBpftrace } from './bpftrace/availability.ts';
import { checkRecipes as checkStap } from './stap/availability.ts';
import type { Target } from './target/target.ts';

interface RecipeAvailability {
  readonly recipe: RecipeId;
  /** States for each tool whether the recipe works on the target, with the remedy if not. */
  readonly checks: { readonly bpftrace: Check; readonly stap: Check };
}

/** Checks which recipes work for the target's user, in the order of the recipes. */
export async function recipesOn(target: Target): Promise<RecipeAvailability[]> {
  const [bpftrace, stap] = await Promise.all([checkBpftrace(target), checkStap(target)]);
  return Promise.all(
    RECIPE_IDS.map(async (recipe) => ({ recipe, checks: { bpftrace: await bpftrace(recipe), stap: stap(recipe) } })),
  );
}
