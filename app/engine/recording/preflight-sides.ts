import type { Check, CollectorOptions } from '#core/contract/schemas.ts';
import type { AnyCollector, AnyPlan } from '#collectors/collector.ts';
import type { Target } from '#collectors/target/target.ts';

/** What a target can do of one recording, or of two sides that are recorded in turn. */
export interface SidesPreflight {
  readonly checks: readonly Check[];
  /** Before and, where there is one, after. Null where either is impossible; the checks say why. */
  readonly plans: readonly [AnyPlan, ...AnyPlan[]] | null;
  /** Further captures of each run, where one side is recorded. */
  readonly also: readonly AnyPlan[];
}

export async function preflightSides(
  collector: AnyCollector,
  target: Target,
  options: CollectorOptions,
  after: CollectorOptions | undefined,
): Promise<SidesPreflight> {
  const before = await collector.preflight(target, options);
  if (after === undefined)
    return { checks: before.checks, plans: before.plan && [before.plan], also: before.also ?? [] };
  const other = await collector.preflight(target, after);
  const checks = [...before.checks, ...other.checks.filter((check) => !isKnown(check, before.checks))];
  if ((before.also ?? []).length + (other.also ?? []).length > 0) {
    return { checks: [...checks, ONE_KIND], plans: null, also: [] };
  }
  return { checks, plans: before.plan && other.plan && [before.plan, other.plan], also: [] };
}

const ONE_KIND: Check = {
  id: 'sides',
  status: 'failed',
  found: 'alternating sides must be one kind of profile, since different kinds can’t be compared',
  remedy: 'choose one kind',
};

/** Most checks are of the machine, and say the same of both sides. */
const isKnown = (check: Check, checks: readonly Check[]): boolean =>
  checks.some(({ id, found }) => id === check.id && found === check.found);
