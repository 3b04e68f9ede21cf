import type { Check } from '#core/contract/schemas.ts';

/** Returns a check. `remedy` is null if there is nothing to do. */
export const checkOf = (id: string, status: Check['status'], found: string, remedy: string | null = null): Check => ({
  id,
  status,
  found,
  remedy,
});
