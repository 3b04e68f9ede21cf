import { quoteArgv } from './target/quote-argv.ts';
import type { AnyPlan, PlanStep } from './collector.ts';

/** What will run, a line each, for display: a pipeline as a shell would write it, and who starts it where it runs as root. */
export function describePlan({
  steps,
  piped,
  sudo,
  fallback,
}: Pick<AnyPlan, 'steps' | 'piped' | 'sudo' | 'fallback'>): string[] {
  const lines = steps.map((step) => (step.kind === 'command' ? quoteArgv(step.argv) : describeRequest(step)));
  return [
    ...(sudo === null ? [] : [`# as root, under Flamebench’s watchdog: ${quoteArgv(sudo)}`]),
    ...(piped ? [lines.join(' | ')] : lines),
    ...(fallback === undefined ? [] : ['# where the first second shows cut stacks:', ...describePlan(fallback)]),
  ];
}

/** `GET http://127.0.0.1:6060/debug/pprof/heap (with Authorization)` */
function describeRequest({ method, url, headers }: Extract<PlanStep, { kind: 'request' }>): string {
  return `${method} ${url}${headers.length === 0 ? '' : ` (with ${headers.join(', ')})`}`;
}

/** Every request of the plan as a document keeps it. */
export const requestsOf = ({ steps }: Pick<AnyPlan, 'steps'>): string[] =>
  steps.flatMap((step) => (step.kind === 'request' ? [describeRequest(step)] : []));
