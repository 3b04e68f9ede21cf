import { useMemo } from 'react';
import { createValueText, type ValueText } from '#core/compare/value-text.ts';
import { maybeReason } from '#core/compare/verdict-words.ts';
import { numberLocale } from '../ui/format.ts';
import { useWorkbench } from './workbench-context.ts';
import { useStore } from './store.ts';
import type { Compared } from '../analysis/comparison/protocol.ts';

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

/** Returns why the comparison's verdicts are at most *maybe*; null if they can be certain. */
export const verdictReason = (of: Pick<Compared, 'isReplicated' | 'sharesHost' | 'runs'>): string | null =>
  maybeReason(of, of.runs);
