import type { ReactElement } from 'react';
import { useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import { format } from '../../ui/format.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { chipEffects } from '../../state/transforms/chip-effect.ts';
import { ChipList } from './chip-list.tsx';
import { newDraft, viewSubject } from '../../state/transforms/draft.ts';
import { viewTarget } from '../../state/transforms/target.ts';

const RangeChip = onDemand(() => import('../time/range-chip.tsx').then((part) => part.RangeChip));

/** The transforms of the view, in order. */
export function TransformChips(): ReactElement {
  const tab = useProfileTab();
  const view = useView();
  const { showDialog } = useWorkbench();
  const transforms = useViewState((state) => state.transforms);
  const timeRange = useViewState((state) => state.selection.timeRange);
  const analysis = useViewState((state) => state.analysis);
  // Otherwise the analysis still belongs to an earlier list.
  const current = useViewState((state) => !state.analysing && state.problem === null);
  const valueType = useViewState((state) => state.selection.valueType);
  const unit = view.profile.valueTypes[valueType]?.unit ?? 'count';
  const ways = {
    edit: (index: number) => showDialog({ kind: 'transform', draft: { subject: viewSubject(view), index, form: {} } }),
    others: [
      {
        label: 'Add transform…',
        run: () => showDialog({ kind: 'transform', draft: newDraft(viewSubject(view)) }),
      },
      {
        label: 'Export current view…',
        run: () => showDialog({ kind: 'export', tab, view }),
      },
    ],
  };
  return (
    <ChipList
      label="Applied to this view"
      target={viewTarget(view)}
      transforms={transforms}
      effects={!current || analysis === null ? null : chipEffects(transforms, analysis, unit)}
      ways={ways}
      start={timeRange === null ? null : <RangeChip />}
      end={
        analysis !== null &&
        analysis.hidden > 0 && (
          <li className="dim hidden-weight" title="Weight hidden by the previous steps">
            {format.value(analysis.hidden, unit)} left out
          </li>
        )
      }
    />
  );
}
