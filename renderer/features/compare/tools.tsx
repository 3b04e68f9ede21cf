import type { ReactElement } from 'react';
import { ExperimentTools } from '../experiments/tools.tsx';
import { LayoutButtons } from '../profile/profile-tools.tsx';
import { useStore } from '../../state/store.ts';
import type { CompareTab } from '../../state/compare/compare.types.ts';

/** Actions for the active comparison as a whole. */
export function CompareTools({ tab }: { tab: CompareTab }): ReactElement {
  const ready = useStore(tab.store, (state) => state.analysis !== null);
  return (
    <div className="tab-tools">
      <ExperimentTools tab={tab} />
      {ready && <LayoutButtons />}
    </div>
  );
}
