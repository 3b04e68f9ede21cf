import { functionFacts } from '../model/function-facts.ts';
import type { FunctionIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import type { ColourMode } from './frame-colour.ts';
import { frameKind } from './frame-kind.ts';
import { classOf, packageOf } from './package-of.ts';

/** Number of heaviest functions that decide, the share of them in one package from which classes are coloured, and the
 * number of classes that this needs. */
const DECIDING = 60;
const ONE_PACKAGE = 0.7;
const LEAST_CLASSES = 3;

/**
 * Returns the initial mode: plain folded stacks contain only names, so by module or package they would all be grey; and
 * where most of the heaviest functions are in one package, they would all have its colour. `heaviest` is ordered.
 */
export function usualColourMode(
  { strings, functions }: Pick<Profile, 'functions' | 'strings'>,
  heaviest: readonly FunctionIndex[],
): ColourMode {
  const named = (func: number): boolean => functions.module[func] !== 0 || functions.file[func] !== 0;
  const grouped = functions.name.some((name, func) => named(func) || /\w(?:::|\.|\/)\w/.test(strings[name]!));
  if (!grouped) return 'function';
  const own = heaviest
    .slice(0, DECIDING)
    .map((func) => functionFacts({ strings, functions }, func))
    .filter((facts) => frameKind(facts) !== 'kernel');
  const packages = new Map<string, number>();
  for (const facts of own) packages.set(packageOf(facts), (packages.get(packageOf(facts)) ?? 0) + 1);
  const isOne = Math.max(0, ...packages.values()) >= ONE_PACKAGE * own.length;
  return isOne && new Set(own.map(classOf)).size >= LEAST_CLASSES ? 'class' : 'package';
}
