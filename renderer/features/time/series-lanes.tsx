import type { ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { seriesExtent, seriesPath, seriesSentence } from '#core/analyze/time/series-path.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import type { MeasuredSeries } from '#core/model/profile.ts';
import { numberLocale } from '../../ui/format.ts';
import './series-lanes.css';

interface SeriesLanesProps {
  readonly series: readonly MeasuredSeries[];
  readonly window: TimeRange;
}

const SIZE = { width: 1000, height: 18 } as const;

/** A row per measured series below those of the threads, on the same axis. */
export const SeriesLanes = ({ series, window }: SeriesLanesProps): ReactElement => (
  <ul className="time-series" aria-label="Measured beside the samples">
    {series.map((one, place) => {
      const sentence = seriesSentence(one, numberLocale());
      return (
        <li key={place} className="time-thread" title={sentence}>
          <span className="time-thread-name">
            <span className="ellipsis">{visibleText(one.name.slice(0, 200))}</span>
            <span className="mono dim">{seriesExtent(one, numberLocale())?.most}</span>
          </span>
          <span className="time-thread-bars">
            <svg
              viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={sentence}
            >
              <path d={seriesPath(one, window, SIZE)} vectorEffect="non-scaling-stroke" />
            </svg>
          </span>
        </li>
      );
    })}
  </ul>
);
