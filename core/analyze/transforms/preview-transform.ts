import type { Profile } from '../../model/profile.ts';
import { functionRef, type FunctionRef } from '../function-ref.ts';
import { functionStats } from '../tables/function-stats.ts';
import type { NamedTransform } from './named-transform.ts';
import { resolveTransforms, type PatternRunner } from './resolve-transforms.ts';
import type { Selection } from '../view/stack-view.ts';
import type { ResolvedTransforms, TransformStep } from './transforms.ts';
import { buildStackView } from '../view/build-stack-view.ts';

/** What a transform would find and hide. Weights in the value type's unit. */
export interface TransformPreview {
  /** See `ResolvedTransforms.found`. */
  readonly found: number;
  /** Of the stacks that hold what it found, each stack once, as the transforms before it leave them. */
  readonly weight: number;
  /** Of everything that the transforms before it leave. */
  readonly total: number;
  /** What it would leave out of `total`. */
  readonly hides: number;
  /** The heaviest of the functions found, with their totals; none for a path. */
  readonly functions: readonly { readonly func: FunctionRef; readonly total: number }[];
}

/** Functions that a preview names. */
const NAMED = 6;

/**
 * Looks at what a transform would do after others, without applying it. Rejects with what the runner throws, of the transform's pattern
 * or of one before it.
 */
export async function previewTransform(
  profile: Profile,
  selection: Selection,
  before: readonly NamedTransform[],
  transform: NamedTransform,
  patterns: PatternRunner,
): Promise<TransformPreview> {
  const resolved = await resolveTransforms(profile, [...before, { ...transform, enabled: true }], patterns);
  const step = resolved.steps.at(-1)!;
  const withLast = (last: TransformStep | null): ResolvedTransforms => ({
    ...resolved,
    steps: [...resolved.steps.slice(0, -1), last],
  });
  const view = buildStackView(profile, selection, withLast(null));
  const holding = stepThatKeeps(step);
  const stats = functionStats(view);
  const rows = [...stats.func.keys()].filter((row) => 'chosen' in holding && holding.chosen[stats.func[row]!] === 1);
  rows.sort((a, b) => stats.total[b]! - stats.total[a]! || a - b);
  return {
    found: resolved.found.at(-1) ?? 0,
    weight: buildStackView(profile, selection, withLast(holding)).total,
    total: view.total,
    hides: buildStackView(profile, selection, resolved).hiddenBy.at(-1)!,
    functions: rows.slice(0, NAMED).map((row) => ({
      func: functionRef(view.profile, stats.func[row]!),
      total: stats.total[row]!,
    })),
  };
}

/** Of several profiles together, each with weights in one unit. None: nothing. */
export function joinPreviews(previews: readonly TransformPreview[]): TransformPreview {
  const named = new Map<string, { func: FunctionRef; total: number }>();
  for (const { func, total } of previews.flatMap(({ functions }) => functions)) {
    const key = JSON.stringify(func);
    named.set(key, { func, total: (named.get(key)?.total ?? 0) + total });
  }
  const sum = (of: (preview: TransformPreview) => number): number =>
    previews.reduce((all, preview) => all + of(preview), 0);
  return {
    found: sum(({ found }) => found),
    weight: sum(({ weight }) => weight),
    total: sum(({ total }) => total),
    hides: sum(({ hides }) => hides),
    functions: [...named.values()].sort((a, b) => b.total - a.total).slice(0, NAMED),
  };
}

/** A step after which exactly the stacks remain that hold what another step is about. */
function stepThatKeeps(step: TransformStep): TransformStep {
  if ('path' in step) return { kind: 'focus-path', path: step.path, from: step.from };
  if ('chosen' in step) return { kind: 'drop-without', chosen: step.chosen };
  const moves = step.to.map((becomes, func) => (becomes >= 0 && becomes !== func ? 1 : 0));
  return { kind: 'drop-without', chosen: Uint8Array.from(moves) };
}
