import type { DeltaTree } from '#core/compare/delta-tree.ts';
import { describePath } from '#core/compare/judge-paths.ts';
import type { UserRule } from '#core/compare/match/match-rules.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { selectionDelta, type SelectionDelta } from '#core/compare/selection-delta.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { joinPreviews, previewTransform, type TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FoundComparison } from './answer.ts';
import type { CompareMatches, ComparePreview, PathDetail, RulePreview } from './protocol.ts';
import type { Analysed } from '../session.ts';
import { pathStarts } from './slices.ts';
import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { Side } from '#core/contract/side.ts';

/** Answers questions about a finished comparison. */

/** Returns the effect of a transform on both sides, applied after the transforms in `before`. */
export async function previewBoth(
  captures: Readonly<Record<Side, readonly Pick<ComparedCapture, 'profile' | 'selection'>[]>>,
  { before, transform }: { readonly before: readonly NamedTransform[]; readonly transform: NamedTransform },
  patterns: PatternRunner,
): Promise<ComparePreview> {
  const ofSide = async (side: Side): Promise<TransformPreview[]> => {
    const previews: TransformPreview[] = [];
    for (const { profile, selection } of captures[side]) {
      previews.push(await previewTransform(profile, selection, before, transform, patterns));
    }
    return previews;
  };
  const sides = { before: await ofSide('before'), after: await ofSide('after') };
  const lacks = (side: Side): boolean => sides[side].every(({ found }) => found === 0);
  const missing = lacks('before') === lacks('after') ? null : lacks('before') ? 'before' : 'after';
  return { ...joinPreviews([...sides.before, ...sides.after]), missing };
}

export function pathDetail(
  { comparison, trees, paths }: Pick<FoundComparison, 'comparison' | 'trees' | 'paths'>,
  { node, root }: { node: CallNodeIndex; root: CallNodeIndex },
): PathDetail {
  const { tree } = trees;
  const place = paths.tested.indexOf(node);
  const tested = node === 0 ? comparison.whole : (paths.judgements[place] ?? null);
  return {
    node,
    func: node === 0 ? null : (tree.func[node]! as FunctionIndex),
    depth: node >= root && node < tree.end[root]! ? tree.depth[node]! - tree.depth[root]! : null,
    starts: pathStarts(trees, node),
    judgement: node === 0 ? comparison.whole : describePath(comparison, tree, node),
    tested,
    selfBefore: tree.before.self[node]!,
    selfAfter: tree.after.self[node]!,
  };
}

/** Sums both sides' weights under the outermost match of each stack. */
export function matchesIn({ length, func, end, before, after }: DeltaTree, flags: Uint8Array): CompareMatches {
  const weights = { before: 0, after: 0 };
  for (let row = 1; row < length;) {
    const isMatch = flags[func[row]!] === 1;
    if (isMatch) {
      weights.before += before.total[row]!;
      weights.after += after.total[row]!;
    }
    row = isMatch ? end[row]! : row + 1;
  }
  return { flags, functions: flags.reduce((count, flag) => count + flag, 0), ...weights };
}

export function selectedDelta({ comparison, trees }: FoundComparison, functions: Int32Array): SelectionDelta {
  return selectionDelta(trees.tree, functions, comparison.matched.table.functions.length);
}

/** Returns the effect of adding a user's rule to the rules of the comparison. */
export async function previewUserRule(
  { comparison, names }: Pick<FoundComparison, 'comparison'> & Pick<Analysed, 'names'>,
  { replacement, ...pattern }: UserRule,
  patterns: PatternRunner,
): Promise<RulePreview> {
  return previewRule(comparison.matched.table, await patterns.rename(names, pattern, replacement));
}

/** Number of examples that a preview lists. */
const MOST_EXAMPLES = 50;

/**
 * Returns the effect of a rule on functions. `renamed` holds the name that the rule gives each function, by function
 * index.
 */
export function previewRule(
  { strings, functions: { length, name, module } }: NamedFunctions,
  renamed: readonly string[],
): RulePreview {
  const examples: RulePreview['examples'][number][] = [];
  const counts = new Map<string, number>();
  const from = (func: number): string => strings[name[func]!]!;
  // If the rule deletes the whole name, the function keeps its name.
  const to = (func: number): string => renamed[func]! || from(func);
  const key = (func: number): string => `${module[func]!} ${to(func)}`;
  for (let func = 0; func < length; func++) counts.set(key(func), (counts.get(key(func)) ?? 0) + 1);
  let changed = 0;
  let merged = 0;
  for (let func = 0; func < length; func++) {
    if (to(func) === from(func)) continue;
    changed += 1;
    const isMerged = counts.get(key(func))! > 1;
    if (isMerged) merged += 1;
    if (examples.length < MOST_EXAMPLES) examples.push({ from: from(func), to: to(func), isMerged });
  }
  return { changed, merged, examples };
}
