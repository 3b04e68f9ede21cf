import type { Check, CollectorId, CollectorOptions } from '#core/contract/schemas.ts';
import { commandsOf as commandsOfPlan, commandStep, type AnyCollector, type AnyPlan } from '#collectors/collector.ts';
import { describePlan, requestsOf as requestsOfPlan } from '#collectors/describe-plan.ts';
import { redactArgv } from '#collectors/target/redact-argv.ts';
import type { Target } from '#collectors/target/target.ts';
import type { RecordedHost } from './host-recording.ts';
import { preflightSides, type SidesPreflight } from './preflight-sides.ts';

/** A target, and what is to be recorded there. */
export interface AskedHost {
  readonly targetId: string;
  /** May look at the target for it. */
  readonly options: (target: Target) => Promise<SideOptions>;
}

/** The second is the after side, where two are recorded in turn. */
export type SideOptions = readonly [CollectorOptions, CollectorOptions | undefined];

/** What one host can do of a recording. */
export interface HostPlan extends SidesPreflight {
  readonly targetId: string;
  /** Null where it can't be reached. */
  readonly target: Target | null;
}

/** Hosts looked at together: each takes an ssh client, and a look at perf several channels of it. */
const AT_ONCE = 8;

/** Looks at every host. One that can't be reached, or fails while it is looked at, has a check that says why. */
export async function planHosts(
  collector: (id: CollectorId) => AnyCollector,
  open: (targetId: string) => Promise<Target>,
  hosts: readonly AskedHost[],
): Promise<HostPlan[]> {
  const plans: HostPlan[] = [];
  const waiting = [...hosts.entries()];
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      plans[next[0]] = await planHost(collector, open, next[1]);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return plans;
}

async function planHost(
  collector: (id: CollectorId) => AnyCollector,
  open: (targetId: string) => Promise<Target>,
  { targetId, options }: AskedHost,
): Promise<HostPlan> {
  let target: Target | null = null;
  try {
    target = await open(targetId);
    const [before, after] = await options(target);
    return { targetId, target, ...(await preflightSides(collector(before.collector), target, before, after)) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { targetId, target, checks: [failed(error)], plans: null, also: [] };
  }
}

const failed = (error: Error): Check => ({
  id: 'target',
  status: 'failed',
  found: error.message.replace(/\.$/, ''),
  remedy: 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : null,
});

/** What of a plan can be recorded: the host, or none. */
export function toRecordedHost({ targetId, target, plans, also }: HostPlan): RecordedHost[] {
  if (target === null || plans === null) return [];
  const [plan, after] = plans;
  return [{ targetId, target, plan, also, ...(after === undefined ? {} : { after }) }];
}

const plansOf = ({ plans, also }: HostPlan): readonly AnyPlan[] => [...(plans ?? []), ...also];

/** The same for display. */
export const linesOf = (host: HostPlan): readonly string[] => plansOf(host).flatMap((plan) => describePlan(plan));

function redactPlan(plan: AnyPlan): AnyPlan {
  const { steps, fallback } = plan;
  return {
    ...plan,
    steps: steps.map((step) =>
      step.kind === 'command' ? commandStep(redactArgv(step.argv)) : { ...step, url: redactArgv([step.url])[0]! },
    ),
    ...(fallback === undefined ? {} : { fallback: redactPlan(fallback) }),
  };
}

/** The same for a log, which others read: without what looks like a secret. */
export const loggedLinesOf = (host: HostPlan): readonly string[] =>
  plansOf(host).flatMap((plan) => describePlan(redactPlan(plan)));

/** Exactly what will run there, each an argv. */
export const commandsOf = (host: HostPlan): readonly (readonly string[])[] =>
  plansOf(host).flatMap((plan) => [...commandsOfPlan(plan), ...(plan.fallback ? commandsOfPlan(plan.fallback) : [])]);

/** Exactly what will be fetched. */
export const requestsOf = (host: HostPlan): readonly string[] => plansOf(host).flatMap(requestsOfPlan);
