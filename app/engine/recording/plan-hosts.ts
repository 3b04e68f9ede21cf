import type { Check, PerfOptions } from '#core/contract/schemas.ts';
import type { PerfCollector, Plan } from '#collectors/collector.ts';
import { describePlan } from '#collectors/describe-plan.ts';
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
export type SideOptions = readonly [PerfOptions, PerfOptions | undefined];

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
  collector: PerfCollector,
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
  collector: PerfCollector,
  open: (targetId: string) => Promise<Target>,
  { targetId, options }: AskedHost,
): Promise<HostPlan> {
  let target: Target | null = null;
  try {
    target = await open(targetId);
    const [before, after] = await options(target);
    return { targetId, target, ...(await preflightSides(collector, target, before, after)) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { targetId, target, checks: [failed(error)], plans: null };
  }
}

const failed = (error: Error): Check => ({
  id: 'target',
  status: 'failed',
  found: error.message.replace(/\.$/, ''),
  remedy: 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : null,
});

/** What of a plan can be recorded: the host, or none. */
export function toRecordedHost({ targetId, target, plans }: HostPlan): RecordedHost[] {
  if (target === null || plans === null) return [];
  const [plan, after] = plans;
  return [{ targetId, target, plan, ...(after === undefined ? {} : { after }) }];
}

/** The same for display. */
export const linesOf = ({ plans }: HostPlan): readonly string[] =>
  (plans ?? []).flatMap((plan) => (plan === undefined ? [] : describePlan(plan)));

function redactPlan(plan: Plan<PerfOptions>): Plan<PerfOptions> {
  const { commands, fallback } = plan;
  return {
    ...plan,
    commands: commands.map(redactArgv),
    ...(fallback === undefined ? {} : { fallback: redactPlan(fallback) }),
  };
}

/** The same for a log, which others read: without what looks like a secret. */
export const loggedLinesOf = ({ plans }: HostPlan): readonly string[] =>
  (plans ?? []).flatMap((plan) => (plan === undefined ? [] : describePlan(redactPlan(plan))));

/** Exactly what will run there, each an argv. */
export const commandsOf = ({ plans }: HostPlan): readonly (readonly string[])[] =>
  (plans ?? []).flatMap(({ commands, fallback }) => [...commands, ...(fallback?.commands ?? [])]);
