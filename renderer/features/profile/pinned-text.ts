import { useMemo } from 'react';
import { createValueText, type ValueText } from '#core/compare/value-text.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';
import { numberLocale } from '../../ui/format.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench-context.ts';

/**
 * Returns the format of values next to a baseline's; null if nothing is pinned. It keeps its identity while they do.
 */
export function usePinnedText(pinned: Analysis['pinned']): ValueText | null {
  const { preferences } = useWorkbench();
  const digits = useStore(preferences, (state) => state.digits);
  const percentDigits = useStore(preferences, (state) => state.percentDigits);
  const { kind, unit } = pinned ?? { kind: null, unit: '' };
  const largest = pinned === null ? 0 : Math.max(pinned.totals.before, pinned.totals.after);
  // Derives the number of digits from the order of magnitude, so that it does not change with each update.
  const magnitude = largest > 0 ? 10 ** Math.ceil(Math.log10(largest)) : 0;
  return useMemo(
    () =>
      kind === null ? null : createValueText(numberLocale(), { kind, unit }, magnitude, { digits, percentDigits }),
    [kind, unit, magnitude, digits, percentDigits],
  );
}
