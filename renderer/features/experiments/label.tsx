import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { useCompareState } from '../../state/compare/context.ts';
import { useWorkbenchState } from '../../state/workbench-context.ts';
import type { SideName } from '../../analysis/comparison/protocol.ts';
import './experiments.css';

/** The label of a side of the open experiment: `cache off`. */
export function ExperimentLabel({ side }: { side: SideName }): ReactElement | null {
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
