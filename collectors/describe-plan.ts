import { quoteArgv } from './target/quote-argv.ts';
import type { Plan } from './collector.ts';

/** What will run, a line each, for display: a pipeline as a shell would write it, and who starts it where it runs as root. */
export function describePlan({
  commands,
  piped,
  sudo,
  fallback,
}: Pick<Plan<unknown>, 'commands' | 'piped' | 'sudo' | 'fallback'>): string[] {
  const lines = commands.map((argv) => quoteArgv(argv));
  return [
    ...(sudo === null ? [] : [`# as root, under Flamebench’s watchdog: ${quoteArgv(sudo)}`]),
    ...(piped ? [lines.join(' | ')] : lines),
    ...(fallback === undefined ? [] : ['# where the first second shows cut stacks:', ...describePlan(fallback)]),
  ];
}
