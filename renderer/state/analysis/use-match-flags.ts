import { useState } from 'react';
import type { SearchState } from './analysis-state.ts';

/**
 * Returns 1 for each function that the latest search matches, else 0; null without a search. While one runs, the
 * previous matches stay, so that frames do not flicker in between.
 */
export function useMatchFlags(search: SearchState<{ readonly flags: Uint8Array }>): Uint8Array | null {
  const found = search.status === 'matched' ? search.matches.flags : null;
  const [kept, setKept] = useState(found);
  if (search.status !== 'running' && kept !== found) setKept(found);
  return search.status === 'running' ? kept : found;
}
