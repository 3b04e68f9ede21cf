import { hostname } from 'node:os';
import type { RpcError } from '#core/contract/contract.ts';
import { messageOf } from '#core/model/failure.ts';
import { ConnectionFailure } from '#collectors/target/connection.ts';
import { SpawnFailure } from '#collectors/target/target.ts';

/**
 * A failure that the user can act on. `message` and `remedy` are one line each; windows receive it as an
 * {@link RpcError}.
 */
export class EngineFailure extends Error {
  /** A stable ID in kebab case: `not-found`, `disk-full`, `read-only`, `in-use`… */
  readonly code: string;
  readonly remedy: string | null;

  constructor(code: string, message: string, remedy: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineFailure';
    this.code = code;
    this.remedy = remedy;
  }
}

/** Returns `what; what to do`, or two sentences if the remedy is a sentence. */
export function withRemedy(message: string, remedy: string | null): string {
  if (remedy === null) return message;
  return `${message.replace(/\.$/, '')}${/^\p{Lu}/u.test(remedy) ? '.' : ';'} ${remedy}`;
}

/** Returns the code of a system error, such as `ENOSPC`, or null. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

/** Converts a system error. `attempt` names the action and path: `write /home/a/library/x/raw.perf.data`. */
export function storageFailure(error: unknown, attempt: string): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const cause = { cause: error };
  switch (errorCode(error) ?? '') {
    case 'ENOSPC':
    case 'EDQUOT':
      return new EngineFailure(
        'disk-full',
        `Can't ${attempt}: the disk of ${hostname()} is full.`,
        'Free some space (trashed captures are in .trash inside the library), or set FLAMEBENCH_LIBRARY to a folder on another disk.',
        cause,
      );
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new EngineFailure(
        'read-only',
        `Can't ${attempt}: no permission to write there.`,
        'Make the folder writable for this user, or set FLAMEBENCH_LIBRARY to a writable one.',
        cause,
      );
    default: {
      const reason = messageOf(error);
      return new EngineFailure('storage', `Can't ${attempt}: ${reason}`, 'Check the disk and the folder.', cause);
    }
  }
}

/**
 * Converts failures that the user should see, including those of a target's connection and of programs that it cannot
 * start; null for unexpected errors.
 */
export function toEngineFailure(error: unknown): EngineFailure | null {
  if (error instanceof EngineFailure) return error;
  if (error instanceof ConnectionFailure) return new EngineFailure('not-connected', error.message, error.remedy);
  return error instanceof SpawnFailure ? new EngineFailure('not-started', error.message) : null;
}

/**
 * Converts a failure to what is sent over the connection. Unexpected errors become `internal`; their details stay in
 * the engine's log.
 */
export function toRpcError(error: unknown): RpcError {
  const known = toEngineFailure(error);
  if (known !== null) return { code: known.code, message: known.message, remedy: known.remedy };
  return {
    code: 'internal',
    message: 'Internal error.',
    remedy: 'Please report it with the engine’s output.',
  };
}
