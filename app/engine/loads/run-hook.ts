import { redactText } from '#core/redact/secret-shapes.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';

/** Time for a command that restarts or switches a server, and then for the server to accept connections. Milliseconds. */
export const HOOK_MS = 120_000;

/** Runs a command of the user on a server. Rejects with an `EngineFailure` of `code`; `failed` begins its message. */
export async function runHook(
  target: Target,
  argv: readonly string[],
  { failed, code }: { readonly failed: string; readonly code: string },
  signal: AbortSignal,
): Promise<void> {
  const { stderr, exit } = await runToEnd(target, argv, { timeoutMs: HOOK_MS, signal });
  if (exit.code === 0 || signal.aborted) return;
  const how = exit.code === null ? 'did not end in 2 minutes' : `exit code ${exit.code}`;
  const last = redactText(stderr.trim().split('\n').at(-1) ?? '').slice(0, 300);
  throw new EngineFailure(
    code,
    `${failed} (${how})${last === '' ? '' : `: ${last}`}.`,
    'Run it by hand to see why; it must end by itself.',
  );
}
