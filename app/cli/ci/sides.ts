import { isSecretName } from '#core/redact/secret-names.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { captureError } from '../errors.ts';
import type { Side } from '#core/contract/side.ts';

/** A benchmark with the argv of each side. */
export interface Benchmark {
  readonly name: string;
  readonly argv: Readonly<Record<Side, readonly string[]>>;
  /** Conditions as text; null: those of the gate. */
  readonly failOn: readonly string[] | null;
}

const BUILD_MS = 3_600_000;

/** Returns the variables that builds and benchmarks don't get, because their names or values are those of secrets. */
export const secretVariables = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value !== '' && (isSecretName(name, value) || redactText(value) !== value) ? [name] : [],
  );

/** Returns the argv that runs a program in a folder without secrets in its environment; the shell becomes the program. */
export const runsIn = (
  folder: string,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string[] => [
  'env',
  ...secretVariables(env).flatMap((name) => ['-u', name]),
  'sh',
  '-c',
  'cd "$1" && shift && exec "$@"',
  'sh',
  folder,
  ...argv,
];

/** Builds a checkout. `what` names it: `head (1a2b3c4)`. */
export async function build(
  target: Pick<Target, 'run'>,
  { folder, line, what }: { readonly folder: string; readonly line: string; readonly what: string },
): Promise<void> {
  const { stdout, stderr, exit } = await runToEnd(target, runsIn(folder, ['sh', '-c', line], process.env), {
    timeoutMs: BUILD_MS,
  });
  if (exit.code === 0) return;
  const lines = `${new TextDecoder().decode(stdout)}\n${stderr}`.trim().split('\n');
  // Compilers print the source below an error.
  const said = (lines.find((one) => /\berror\b/i.test(one)) ?? lines.at(-1) ?? '').trim();
  const how = exit.code === null ? `was ended by ${exit.signal}` : `failed with ${exit.code}`;
  throw captureError(`the build of ${what} ${how}${said === '' ? '' : `: ${said}`}`, 'nothing was compared');
}
