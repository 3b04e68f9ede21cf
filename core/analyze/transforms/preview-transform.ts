import type { Profile } from '../../model/profile.ts';
import { functionRef, type FunctionRef } from '../function-ref.ts';
import { functionStats } from '../tables/function-stats.ts';
import type { NamedTransform } from './named-transform.ts';
import { transformProfile } from './transform-profile.ts';
import type { PatternRunner } from './resolve-transforms.ts';
import type { Selection } from '../view/stack-view.ts';
import type { ResolvedTransforms, TransformStep } from '../view/transforms.ts';
import { buildStackView } from '../view/build-stack-view.ts';

/** What a transform would match and hide. Weights in the value type's unit. */
export interface TransformPreview {
  /** See `ResolvedTransforms.found`. */
  readonly found: number;
  /** Weight of the stacks that contain a match, each stack once, after the preceding transforms. */
  readonly weight: number;
  /** Whole weight after the preceding transforms. */
  readonly total: number;
  /** The part of `total` that the transform would hide. */
  readonly hides: number;
  /** The heaviest of the matched functions with their totals; empty for a path. */
  readonly functions: readonly { readonly func: FunctionRef; readonly total: number }[];
}

/** Number of functions that a preview names. */
const NAMED = 6;

/**
 * Computes what a transform would match and hide after others, without applying it. Rejects with whatever the runner
 * throws for the transform's pattern or a preceding one.
 */
export async function previewTransform(
  recorded: Profile,
  selection: Selection,
  before: readonly NamedTransform[],
  transform: NamedTransform,
  patterns: PatternRunner,
): Promise<TransformPreview> {
  const all = [...before, { ...transform, enabled: true }];
  const { profile, resolved } = await transformProfile(recorded, all, patterns);
  const step = resolved.steps.at(-1) ?? null;
  const withLast = (last: TransformStep | null): ResolvedTransforms => ({
    ...resolved,
    steps: [...resolved.steps.slice(0, -1), last],
  });
  const view = buildStackView(profile, selection, withLast(null));
  const holding = step === null ? null : stepThatKeeps(step);
  const stats = functionStats(view);
  const rows = [...stats.func.keys()].filter(
    (row) => holding !== null && 'chosen' in holding && holding.chosen[stats.func[row]!] === 1,
  );
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

/** Adds up the previews of several profiles, whose weights must share a unit. Without previews, everything is zero. */
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

/** Returns a step that keeps exactly the stacks that another step matches. */
function stepThatKeeps(step: TransformStep): TransformStep {
  if (step.kind === 'samples') return { ...step, keeps: true };
  if ('path' in step) return { kind: 'focus-path', path: step.path, from: step.from };
  if ('chosen' in step) return { kind: 'drop-without', chosen: step.chosen };
  const moves = step.to.map((becomes, func) => (becomes >= 0 && becomes !== func ? 1 : 0));
  return { kind: 'drop-without', chosen: Uint8Array.from(moves) };
}
