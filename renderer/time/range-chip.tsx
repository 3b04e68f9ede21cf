import type { ReactElement } from 'react';
import { useView, useViewState } from '../profile/profile-context.ts';
import { Icon } from '../shell/icons.tsx';
import { rangeChipMeaning, rangeChipText, withoutTimeText } from './range-text.ts';

/** The time range among what is applied to the view: how long, which share of the samples; and what it leaves out for want of a time. */
export function RangeChip(): ReactElement | null {
  const view = useView();
  const timeRange = useViewState((state) => state.selection.timeRange);
  const analysis = useViewState((state) => state.analysis);
  if (timeRange === null) return null;
  const text = rangeChipText(timeRange, analysis);
  const leftOut = analysis === null ? '' : withoutTimeText(analysis);
  return (
    <>
      <li className="chip" title={rangeChipMeaning(analysis)}>
        <span className="ellipsis">{text}</span>
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove ${text}`}
          onClick={() => {
            view.select({ timeRange: null });
          }}
        >
          <Icon name="close" />
        </button>
      </li>
      {leftOut !== '' && <li className="dim hidden-weight">{leftOut}</li>}
    </>
  );
}
