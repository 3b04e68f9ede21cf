import type { Check, CollectorOptions } from '#core/contract/schemas.ts';
import type { AnyCollector, AnyPlan } from '#collectors/collector.ts';
import type { Target } from '#collectors/target/target.ts';

/** The preflight of one recording, or of two alternating sides. */
export interface SidesPreflight {
  readonly checks: readonly Check[];
  /** Before and, where there is one, after. Null if either is impossible; the checks say why. */
  readonly plans: readonly [AnyPlan, ...AnyPlan[]] | null;
}

export async function preflightSides(
  collector: AnyCollector,
  target: Target,
  options: CollectorOptions,
  after: CollectorOptions | undefined,
): Promise<SidesPreflight> {
  const before = await collector.preflight(target, options);
  if (after === undefined) return { checks: before.checks, plans: before.plan && [before.plan] };
  const other = await collector.preflight(target, after);
  const checks = [...before.checks, ...other.checks.filter((check) => !isKnown(check, before.checks))];
  return { checks, plans: before.plan && other.plan && [before.plan, other.plan] };
}

/** Most checks are of the machine, and say the same of both sides. */
const isKnown = (check: Check, checks: readonly Check[]): boolean =>
  checks.some(({ id, found }) => id === check.id && found === check.found);
