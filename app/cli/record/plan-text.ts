import type { Check } from '#core/contract/schemas.ts';
import { hostCommands, hostRequests, linesOf, type HostPlan } from '#app/engine/recording/plan-hosts.ts';
import { captureError, type CliError } from '../errors.ts';
import { jsonText } from '../output/json-text.ts';
import { print } from '../output/terminal.ts';
import { withRemedy } from '#app/engine/failure.ts';
import type { CliTargets } from '../targets/cli-targets.ts';

/** Prints the plans' commands, requests and, as JSON, checks. */
export function printPlans(targets: CliTargets, plans: readonly HostPlan[], json: boolean): void {
  if (!json) {
    for (const line of commandLines(targets, plans, linesOf)) print(`${line}\n`);
    return;
  }
  const hosts = plans.map((plan) => ({
    target: plan.targetId,
    commands: hostCommands(plan),
    requests: hostRequests(plan),
    checks: plan.checks,
  }));
  print(jsonText({ hosts }));
}

/** Returns the plans' lines; with several targets, each target's lines follow its name. */
export function commandLines(targets: CliTargets, plans: readonly HostPlan[], describe: typeof linesOf): string[] {
  return plans.flatMap((plan) => {
    const lines = describe(plan);
    return plans.length === 1 || lines.length === 0 ? lines : [`# ${targets.nameOf(plan.targetId)}`, ...lines];
  });
}

/** Returns the error to report if no plan can record. */
export function planRefusal(targets: CliTargets, plans: readonly HostPlan[]): CliError {
  const [first, ...others] = plans;
  if (others.length === 0) {
    return checkRefusal("can't record", first?.checks ?? []);
  }
  const which = plans.map(({ targetId, checks }) => `${targets.nameOf(targetId)}: ${failedCheckText(checks)}`);
  return captureError(`can't record on any of ${plans.length} hosts: ${which.join(' | ')}`);
}

/** Returns the error to report what failed on a host, and the page of the first failed check. */
export function checkRefusal(what: string, checks: readonly Check[]): CliError {
  const failed = failedCheck(checks);
  return captureError(
    `${what}: ${failed?.found ?? 'the collector does not work there'}`,
    failed?.remedy ?? null,
    failed?.id ?? null,
  );
}

/** Returns the first failed check. */
const failedCheck = (checks: readonly Check[]): Check | undefined => checks.find(({ status }) => status === 'failed');

/** Returns the first failed check with its remedy. */
export function failedCheckText(checks: readonly Check[]): string {
  const failed = failedCheck(checks);
  return withRemedy(failed?.found ?? 'the collector does not work there', failed?.remedy ?? null);
}
