import type { ReactElement } from 'react';
import { count, countOf } from '../../ui/format.ts';
import { useStore } from '../../state/store.ts';
import type { CompareTab } from '../../state/compare/compare.types.ts';

/** The active comparison in the status bar. */
export function CompareStatus({ tab }: { tab: CompareTab }): ReactElement | null {
  const compared = useStore(tab.store, (state) => state.analysis);
  if (compared === null) return null;
  const { before, after, functions, onlyBefore, onlyAfter } = compared;
  const text = [
    countOf(functions.length, 'function'),
    `${count(onlyBefore.length)} only before`,
    `${count(onlyAfter.length)} only after`,
  ];
  return (
    <>
      <span className="mono">
        {count(before.sampleCount)} → {countOf(after.sampleCount, 'sample')}
      </span>
      <span>
        {count(before.captures.length)} + {countOf(after.captures.length, 'capture')}
      </span>
      <span>{text.join(' · ')}</span>
    </>
  );
}
