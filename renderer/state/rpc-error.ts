import type { RpcError } from '#core/contract/contract.ts';

/** Returns the error of an answer; null if it is not one. */
export function readRpcError(error: unknown): RpcError | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, message, remedy } = error as Partial<Record<keyof RpcError, unknown>>;
  const isError = typeof code === 'string' && typeof message === 'string';
  return isError && (remedy === null || typeof remedy === 'string') ? { code, message, remedy } : null;
}
