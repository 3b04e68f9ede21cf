import { quoteArgv } from '#core/contract/quote-argv.ts';
import { LAUNCHED_PID, type AnyPlan, type PlanStep } from './collector.ts';

/**
 * Describes what will run, one line each, for display: a pipeline in shell syntax, and the command by which it becomes
 * root.
 */
export function describePlan({
  launch,
  steps,
  piped,
  sudo,
  beside,
  fallback,
  remark,
  note,
}: Pick<AnyPlan, 'launch' | 'steps' | 'piped' | 'sudo' | 'beside' | 'fallback' | 'remark' | 'note'>): string[] {
  const placeholders = new Set([
    LAUNCHED_PID,
    ...steps.map((step) => (step.kind === 'command' ? step.prints : undefined)),
  ]);
  const lines = steps.map((step) =>
    step.kind === 'command'
      ? step.argv.map((word) => (placeholders.has(word) ? word : quoteArgv([word]))).join(' ')
      : describeRequest(step),
  );
  return [
    ...(note === undefined ? [] : [`# ${note}`]),
    ...(launch === undefined ? [] : [`${quoteArgv(launch)} &`]),
    ...(sudo === null ? [] : [`# as root, under Flamebench’s watchdog: ${quoteArgv(sudo)}`]),
    ...(remark === undefined ? [] : [`# ${remark}`]),
    ...(piped ? [lines.join(' | ')] : lines),
    ...(beside === undefined ? [] : ['# in the same seconds:', ...describePlan(beside)]),
    ...(fallback === undefined ? [] : ['# if the first second shows truncated stacks:', ...describePlan(fallback)]),
  ];
}

/** Returns `GET http://127.0.0.1:6060/debug/pprof/heap (with Authorization)`. */
function describeRequest({ method, url, headers }: Extract<PlanStep, { kind: 'request' }>): string {
  return `${method} ${url}${headers.length === 0 ? '' : ` (with ${headers.join(', ')})`}`;
}

/** Returns every request of the plan as a capture document stores it. */
export const requestsOf = ({ steps }: Pick<AnyPlan, 'steps'>): string[] =>
  steps.flatMap((step) => (step.kind === 'request' ? [describeRequest(step)] : []));
