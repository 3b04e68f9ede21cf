import { useMemo } from 'react';
import { createValueText, type ValueText } from '#core/compare/value-text.ts';
import { numberLocale } from '../../../ui/format.ts';
import { useWorkbench } from '../../../state/workbench-context.ts';
import { useStore } from '../../../state/store.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';

/** Returns the format of a comparison's values. It keeps its identity while they are unchanged. */
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
