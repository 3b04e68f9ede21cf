import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { useCompareState } from '../../state/compare/context.ts';
import { useWorkbenchState } from '../../state/workbench-context.ts';
import './experiments.css';
import type { Side } from '#core/contract/side.ts';

/** The label of a side of the open experiment: `cache off`. */
export function ExperimentLabel({ side }: { side: Side }): ReactElement | null {
  const id = useCompareState((state) => state.experimentId);
  const label = useWorkbenchState(
    (state) => state.experiments?.find(({ experiment }) => experiment.id === id)?.experiment[side].label ?? '',
  );
  if (label === '') return null;
  return (
    <span className="experiment-label ellipsis" title={visibleText(label)}>
      {visibleText(label)}
    </span>
  );
}
