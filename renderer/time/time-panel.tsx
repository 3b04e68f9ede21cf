import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { Theme } from '../flame/flame-graph.types.ts';
import { useView, useViewState } from '../profile/profile-context.ts';
import { HeatMapView } from './heat-map-view.tsx';
import { rangeBetween } from './time-scale.ts';
import { TimeTools } from './time-tools.tsx';
import type { TimeTool } from './time-tools.tsx';
import { TimeTracks } from './time-tracks.tsx';
import { useTimeData, useTimeGaps } from './use-time-data.ts';
import './time.css';
import './heat-map.css';
import './time-form.css';

/** Samples over time in one of its forms: the strip of all, a row per thread, or the heat map of seconds. */
export function TimePanel({ theme }: { theme: Theme }): ReactElement {
  const { id, profile } = useView();
  if (!profile.hasTime) return <NoTimes />;
  return <Timed key={id} theme={theme} />;
}

function NoTimes(): ReactElement {
  return (
    <p className="time-none">
      No time strip: this file says how often each stack was seen, and not when. A recording of perf says both.
    </p>
  );
}

function Timed({ theme }: { theme: Theme }): ReactElement {
  const look = useViewState((state) => state.time);
  const { strip, threads, heatMap } = useTimeData();
  const [open, setOpen] = useState<TimeTool | null>(null);
  const whole = (look.form === 'heat-map' ? heatMap : strip)?.whole ?? strip?.whole ?? heatMap?.whole ?? null;
  const gaps = useTimeGaps(whole !== null);
  const window = useMemo(() => {
    if (look.window === null || whole === null) return whole;
    // A restored one may be of a longer recording.
    return rangeBetween(look.window.start, look.window.end, whole) ?? whole;
  }, [look.window, whole]);
  if (whole === null || window === null) return <div className="time-pane" aria-busy="true" />;
  const tools = <TimeTools whole={whole} window={window} gaps={gaps} open={open} onOpen={setOpen} />;
  const scene = { whole, window, gaps, theme, tools, onOpen: setOpen, quiet: open !== null };
  if (look.form === 'heat-map') {
    return <HeatMapView map={heatMap} {...scene} />;
  }
  const rows = look.form === 'threads' ? threads : null;
  return <TimeTracks strip={strip} threads={rows} {...scene} />;
}
