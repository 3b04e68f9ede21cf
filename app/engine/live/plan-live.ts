import type { CollectorId, CollectorOptions } from '#core/contract/schemas.ts';
import type { AnyCollector, AnyPlan } from '#collectors/collector.ts';
import type { Target } from '#collectors/target/target.ts';
import { planHosts, type HostPlan } from '../recording/plan-hosts.ts';

type CollectorOf = (id: CollectorId) => AnyCollector;
type OpenTarget = (targetId: string) => Promise<Target>;

/** Returns what would run to watch these options; starts nothing. Without a plan, the checks say why. */
export async function planLive(
  collectorOf: CollectorOf,
  open: OpenTarget,
  targetId: string,
  options: CollectorOptions,
): Promise<HostPlan> {
  const { live } = collectorOf(options.collector);
  const refusal = live.refuse(options);
  if (refusal !== null) return { targetId, target: null, checks: [refusal], plans: null, also: [] };
  const asked = { targetId, options: () => Promise.resolve([live.options(options), undefined] as const) };
  const [host] = await planHosts(collectorOf, open, [asked]);
  if (host === undefined) throw new Error('no host was planned');
  return host;
}

/** Returns the function that plans the same collection with other options; see `LiveContext.replan`. */
export const replanner =
  (collectorOf: CollectorOf, open: OpenTarget, targetId: string) =>
  async (options: CollectorOptions): Promise<AnyPlan | null> =>
    (await planLive(collectorOf, open, targetId, options)).plans?.[0] ?? null;
