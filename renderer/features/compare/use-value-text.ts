import { useMemo } from 'react';
import { createValueText, type ValueText } from '#core/compare/value-text.ts';
import { numberLocale } from '../../ui/format.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';

/** How the values of a comparison are written. Keeps its identity while they stay. */
export function useValueText({ normalised, before, after }: Compared): ValueText {
  const { preferences } = useWorkbench();
  const digits = useStore(preferences, (state) => state.digits);
  const percentDigits = useStore(preferences, (state) => state.percentDigits);
  const largest = Math.max(before.total, after.total);
  return useMemo(
    () => createValueText(numberLocale(), normalised, largest, { digits, percentDigits }),
    [normalised, largest, digits, percentDigits],
  );
}
