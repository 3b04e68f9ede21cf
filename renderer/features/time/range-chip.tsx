import type { ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { chosenRange, leaveInnerRanges } from '../../ui/time/committed-ranges.ts';
import { rangeChipMeaning, rangeChipText, withoutTimeText } from '../../state/time/range-text.ts';
import { durationLabel } from '../../ui/time/time-label.ts';
import { IconButton } from '../../ui/buttons.tsx';

/**
 * The chip of the time range: its length, its share of the samples, and the samples excluded because they have no
 * timestamp.
 */
export function RangeChip(): ReactElement | null {
  const view = useView();
  const timeRange = useViewState((state) => state.selection.timeRange);
  const committed = useViewState((state) => state.committed);
  const analysis = useViewState((state) => state.analysis);
  if (timeRange === null) return null;
  const chosen = chosenRange({ committed, timeRange });
  const text = rangeChipText(timeRange, analysis);
  const leftOut = analysis === null ? '' : withoutTimeText(analysis);
  const outer = chosen === null ? committed.slice(0, -1) : committed;
  return (
    <>
      {committed.length > 0 && <TimeCrumbs outer={outer} />}
      <li className="chip" title={rangeChipMeaning(analysis)}>
        <span className="ellipsis">{text}</span>
        <IconButton
          icon="close"
          label={`Remove ${text}`}
          onClick={() => {
            if (chosen === null) view.commitTime(leaveInnerRanges(committed, outer.length));
            else view.select({ timeRange: null });
          }}
        />
      </li>
      {leftOut !== '' && <li className="dim hidden-weight">{leftOut}</li>}
    </>
  );
}

/** The enclosing ranges; selecting one returns to it. */
function TimeCrumbs({ outer }: { outer: readonly TimeRange[] }): ReactElement {
  const view = useView();
  const backTo = (count: number) => () => view.commitTime(leaveInnerRanges(view.store.get().committed, count));
  return (
    <li className="time-crumbs">
      <nav aria-label="Leave the time range">
        <ol>
          <li>
            <button type="button" onClick={backTo(0)}>
              all time
            </button>
          </li>
          {outer.map((range, index) => (
            <li key={`${range.start} ${range.end}`}>
              <button type="button" onClick={backTo(index + 1)}>
                {durationLabel(range)}
              </button>
            </li>
          ))}
        </ol>
      </nav>
    </li>
  );
}
