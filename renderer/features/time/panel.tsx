import { useMemo, useState, type ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { rangeBetween } from '../../ui/time/time-scale.ts';
import { TimeTools, type TimeTool } from './tools.tsx';
import { TimeTracks } from './tracks.tsx';
import { useTimeData, useTimeGaps, useTimeWindow } from './use-time-data.ts';
import './time.css';
import './heat-map.css';
import { onDemand } from '../../state/on-demand.tsx';

const HeatMapView = onDemand(() => import('./heat-map-view.tsx').then((part) => part.HeatMapView));

/** Samples over time in one of its forms: the strip of all threads, a row per thread, or the heat map of seconds. */
export function TimePanel({ theme }: { theme: Theme }): ReactElement {
  const { id, profile } = useView();
  if (!profile.hasTime) return <NoTimes />;
  return <Timed key={id} theme={theme} />;
}

function NoTimes(): ReactElement {
  return (
    <p className="time-none">No time strip: this file counts stacks without timestamps. perf recordings have both.</p>
  );
}

function Timed({ theme }: { theme: Theme }): ReactElement {
  const form = useViewState((state) => state.time.form);
  const inner = useViewState((state) => state.committed.at(-1) ?? null);
  const { strip, threads, heatMap } = useTimeData();
  const asked = useTimeWindow();
  const [open, setOpen] = useState<TimeTool | null>(null);
  const span = (form === 'heat-map' ? heatMap : strip)?.whole ?? strip?.whole ?? heatMap?.whole ?? null;
  const known = useTimeGaps(span !== null);
  const gaps = useMemo(() => known.filter(({ end }) => span !== null && end > span.start), [known, span]);
  const whole = useMemo(() => within(inner, span), [inner, span]);
  const window = useMemo(() => within(asked, whole), [asked, whole]);
  if (span === null || whole === null || window === null) return <div className="time-pane" aria-busy="true" />;
  const tools = <TimeTools span={span} whole={whole} window={window} gaps={gaps} open={open} onOpen={setOpen} />;
  const scene = { zero: span.start, whole, window, gaps, theme, tools, onOpen: setOpen, quiet: open !== null };
  if (form === 'heat-map') {
    return <HeatMapView map={heatMap} {...scene} />;
  }
  const rows = form === 'threads' ? threads : null;
  return <TimeTracks strip={strip} threads={rows} {...scene} />;
}

/**
 * Clips a part to a range; returns the whole range if they do not overlap, since a restored part may be of a longer
 * recording.
 */
function within(part: TimeRange | null, range: TimeRange | null): TimeRange | null {
  return part === null || range === null ? range : (rangeBetween(part.start, part.end, range) ?? range);
}
