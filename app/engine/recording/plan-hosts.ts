import type { Check, CollectorId, CollectorOptions } from '#core/contract/schemas.ts';
import { checkOf } from '#collectors/check.ts';
import { commandsOf, commandStep, type AnyCollector, type AnyPlan } from '#collectors/collector.ts';
import { describePlan, requestsOf } from '#collectors/describe-plan.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import type { Target } from '#collectors/target/target.ts';
import type { RecordedHost } from './host-recording.ts';
import type { PlannedHost } from './recorder.ts';

/** A target with the options of its recording. */
interface AskedHost {
  readonly targetId: string;
  /** Returns the options; may inspect the target. */
  readonly options: (target: Target) => Promise<SideOptions>;
}

/** The second is the after side, if two are recorded alternately. */
export type SideOptions = readonly [CollectorOptions, CollectorOptions | undefined];

/** What one host can record. */
export interface HostPlan extends SidesPreflight {
  readonly targetId: string;
  /** Null if it cannot be reached. */
  readonly target: Target | null;
}

/** Number of hosts inspected at once: each takes an ssh client, and inspecting perf takes several of its channels. */
const AT_ONCE = 8;

/** Inspects every host. One that cannot be reached, or fails during inspection, has a check that says why. */
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

const failed = (error: Error): Check =>
  checkOf(
    'target',
    'failed',
    error.message.replace(/\.$/, ''),
    'remedy' in error && typeof error.remedy === 'string' ? error.remedy : null,
  );

/** Returns the recordable part of a plan: the host, or nothing. */
export function toRecordedHost({ targetId, target, plans, also }: HostPlan): RecordedHost[] {
  if (target === null || plans === null) return [];
  const [plan, after] = plans;
  return [{ targetId, target, plan, also, ...(after === undefined ? {} : { after }) }];
}

const plansOf = ({ plans, also }: HostPlan): readonly AnyPlan[] => [...(plans ?? []), ...also];

/** Returns what is shown of a plan. */
export const shownHost = (host: HostPlan): PlannedHost => ({
  targetId: host.targetId,
  commands: hostCommands(host),
  requests: hostRequests(host),
  lines: linesOf(host),
  checks: host.checks,
});

/** Returns the plan's lines for display. */
export const linesOf = (host: HostPlan): readonly string[] => plansOf(host).flatMap((plan) => describePlan(plan));

function redactPlan(plan: AnyPlan): AnyPlan {
  const { launch, steps, beside, fallback } = plan;
  return {
    ...plan,
    ...(launch === undefined ? {} : { launch: redactArgv(launch) }),
    steps: steps.map((step) =>
      step.kind === 'command' ? commandStep(redactArgv(step.argv)) : { ...step, url: redactArgv([step.url])[0]! },
    ),
    ...(beside === undefined ? {} : { beside: redactPlan(beside) }),
    ...(fallback === undefined ? {} : { fallback: redactPlan(fallback) }),
  };
}

/** Returns the plan's lines for a log that others may read, without anything that looks like a secret. */
export const loggedLinesOf = (host: HostPlan): readonly string[] =>
  plansOf(host).flatMap((plan) => describePlan(redactPlan(plan)));

/** Returns exactly the commands that will run there, each an argv. */
export const hostCommands = (host: HostPlan): readonly (readonly string[])[] =>
  plansOf(host).flatMap((plan) => [
    ...(plan.launch === undefined ? [] : [plan.launch]),
    ...commandsOf(plan),
    ...(plan.fallback ? commandsOf(plan.fallback) : []),
  ]);

/** Returns exactly the requests that will be sent. */
export const hostRequests = (host: HostPlan): readonly string[] => plansOf(host).flatMap(requestsOf);

/** What a target can record: one capture, or two sides alternately. */
interface SidesPreflight {
  readonly checks: readonly Check[];
  /** The before plan and, if there is one, the after plan. Null if either is impossible; the checks say why. */
  readonly plans: readonly [AnyPlan, ...AnyPlan[]] | null;
  /** Further captures of each run, if one side is recorded. */
  readonly also: readonly AnyPlan[];
}

async function preflightSides(
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

const ONE_KIND: Check = checkOf(
  'sides',
  'failed',
  'alternating sides must be one kind of profile, since different kinds can’t be compared',
  'choose one kind',
);

/** Returns whether a check is known already; most checks concern the machine and are equal for both sides. */
const isKnown = (check: Check, checks: readonly Check[]): boolean =>
  checks.some(({ id, found }) => id === check.id && found === check.found);
