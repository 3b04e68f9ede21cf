import type { FunctionIndex } from '../../model/brand.ts';
import { codeKind } from '../../model/code-kind.ts';
import { functionFacts } from '../../model/function-facts.ts';
import type { PatternRunner } from '../transforms/resolve-transforms.ts';
import type { StackView } from '../view/stack-view.ts';
import type { KindRule } from './kind-rules.ts';

/** Kind of the stacks that match no rule. */
const OTHER_KIND = 'other';

/** The weight of a kind of work, and the functions in which its stacks end, heaviest first. */
export interface KindShare {
  readonly kind: string;
  readonly weight: number;
  readonly functions: readonly { readonly func: FunctionIndex; readonly weight: number }[];
  /** Number of functions, including those not listed. */
  readonly functionCount: number;
}

/** By function index: the index of the first rule that matches it, `rules.length` if none does. */
export interface MatchedRules {
  readonly anywhere: Int32Array;
  readonly leaf: Int32Array;
}

/** Finds the functions that each rule matches. `names` are by function index. Rejects with what the runner throws. */
export async function matchKindRules(
  { profile }: Pick<StackView, 'profile'>,
  names: readonly string[],
  rules: readonly KindRule[],
  patterns: PatternRunner,
): Promise<MatchedRules> {
  const matched: MatchedRules = {
    anywhere: new Int32Array(profile.functions.length).fill(rules.length),
    leaf: new Int32Array(profile.functions.length).fill(rules.length),
  };
  for (const [place, { where, on }] of rules.entries()) {
    const first = where === 'any' ? matched.anywhere : matched.leaf;
    const flags = 'pattern' in on ? await patterns.match(names, { pattern: on.pattern, ignoreCase: false }) : null;
    for (let func = 0; func < first.length; func++) {
      if (first[func]! < place) continue;
      const isMatch =
        flags !== null ? flags[func] === 1 : 'code' in on && on.code === codeKind(functionFacts(profile, func));
      if (isMatch) first[func] = place;
    }
  }
  return matched;
}

/**
 * Returns the weight of each kind, heaviest first. Each stack counts once, so the weights add up to the view's total;
 * samples without a stack and stacks that match no rule are {@link OTHER_KIND}. `most` functions per kind are listed.
 */
export function kindShares(
  { length, parent, func, self, withoutStack }: StackView,
  rules: readonly KindRule[],
  { anywhere, leaf }: MatchedRules,
  most: number,
): readonly KindShare[] {
  const kinds = new Map<string, { weight: number; readonly functions: Map<number, number> }>();
  const kindOf = (kind: string) => {
    const known = kinds.get(kind) ?? { weight: 0, functions: new Map<number, number>() };
    kinds.set(kind, known);
    return known;
  };
  /** The first rule that a row's function or one of its callers matches. */
  const inherited = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const of = func[row]!;
    const caller = parent[row]!;
    inherited[row] = Math.min(anywhere[of]!, caller < 0 ? rules.length : inherited[caller]!);
    const weight = self[row]!;
    if (weight === 0) continue;
    const rule = rules[Math.min(inherited[row]!, leaf[of]!)];
    const kind = kindOf(rule?.kind ?? OTHER_KIND);
    kind.weight += weight;
    kind.functions.set(of, (kind.functions.get(of) ?? 0) + weight);
  }
  if (withoutStack !== 0) kindOf(OTHER_KIND).weight += withoutStack;
  return [...kinds]
    .map(([kind, { weight, functions }]) => ({
      kind,
      weight,
      functions: [...functions]
        .map(([one, own]) => ({ func: one as FunctionIndex, weight: own }))
        .sort((a, b) => b.weight - a.weight || a.func - b.func)
        .slice(0, most),
      functionCount: functions.size,
    }))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.kind < b.kind ? -1 : 1));
}
