import type { ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { ThreadRows } from '#core/analyze/time/strip.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import { useView } from '../../state/profile/context.ts';
import { threadIds, threadName } from '../../state/thread-names.ts';
import { weightFormat } from '../../state/weight-format.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { Icon } from '../../ui/icons.tsx';
import { BarsCanvas } from '../../ui/time/bars-canvas.tsx';
import type { GroupBars } from './use-group-bars.ts';

interface ThreadTrackProps {
  readonly threads: ThreadRows;
  readonly row: ThreadRows['rows'][number];
  /** Null if all are. */
  readonly chosen: readonly ThreadIndex[] | null;
  /** Bars by kind of code; null while they are not known. */
  readonly groups: readonly GroupBars[] | null;
  readonly window: TimeRange;
  readonly theme: Theme;
}

/** A thread's name, share and bars over time. */
export function ThreadTrack({ threads, row, chosen, groups, window, theme }: ThreadTrackProps): ReactElement {
  const view = useView();
  const { thread, total, weight } = row;
  const weights = weightFormat(view.profile.valueTypes[threads.valueType]!.unit);
  const isChosen = chosen?.includes(thread) ?? false;
  const named = view.profile.threads[thread]!;
  return (
    <div className={chosen === null || isChosen ? 'time-thread' : 'time-thread off'} data-time-row={thread}>
      <span className="time-thread-name">
        {isChosen && <Icon name="check" />}
        <span className="ellipsis" title={`${threadName(named)} ${threadIds(named)}`}>
          {threadName(named)}
        </span>
        <span className="mono faint">{named.tid < 0 ? threadIds(named) : named.tid}</span>
        <span className="mono dim">{weights.share(total, threads.total)}</span>
      </span>
      <span className="time-thread-bars">
        <BarsCanvas
          grid={threads}
          weight={weight}
          groups={groups}
          highest={threads.maxWeight}
          window={window}
          theme={theme}
        />
      </span>
    </div>
  );
}
