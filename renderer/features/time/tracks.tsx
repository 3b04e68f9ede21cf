import { useRunCommand } from '../../state/run-command.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { threadMenu } from '../../state/thread-choices.ts';
import { threadLabel } from '../../state/thread-names.ts';
import { Menu } from '../../ui/menu/menu.tsx';
import { usePart } from '../../ui/parts.tsx';
import { useStore } from '../../state/store.ts';
import { BarsCanvas } from '../../ui/time/bars-canvas.tsx';
import { chosenRange } from '../../ui/time/committed-ranges.ts';
import { MarkLane } from './mark-lane.tsx';
import { nearBars, pickStack, pickStackIn } from './pick-stack.ts';
import { RangeBrush } from '../../ui/time/range-brush.tsx';
import { stripText } from '../../state/time/range-text.ts';
import { rangeForKey, timeChoiceFor, windowForShortcut } from '../../ui/time/strip-keys.ts';
import type { ThreadMenuPlace } from './thread-tracks.tsx';
import { TimeAxis } from '../../ui/time/time-axis.tsx';
import type { TimeFormProps } from './form.types.ts';
import { rangeBetween, settledRange, shareOf } from '../../ui/time/time-scale.ts';
import { useGroupBars } from './use-group-bars.ts';
import type { ThreadRows, TimeStrip } from '#core/analyze/time/strip.ts';
import { usePickedBars } from './use-time-data.ts';
import { useTimePointer } from '../../ui/time/use-time-pointer.ts';
import { onDemand } from '../../state/on-demand.tsx';

const TracksTip = onDemand(() => import('./tracks-tip.tsx').then((part) => part.TracksTip));
const SeriesLanes = onDemand(() => import('./series-lanes.tsx').then((part) => part.SeriesLanes));
const ThreadTracks = onDemand(() => import('./thread-tracks.tsx').then((part) => part.ThreadTracks));

interface TimeTracksProps extends TimeFormProps {
  readonly strip: TimeStrip | null;
  /** Null shows only the strip of all threads. */
  readonly threads: ThreadRows | null;
}

/** The strip of all threads, and below it each thread, with one axis and one range. */
export function TimeTracks(props: TimeTracksProps): ReactElement {
  const { strip, threads, zero, whole, window, gaps, theme, tools, onOpen, quiet } = props;
  const view = useView();
  const { series } = view.profile.metadata;
  const keymap = useKeymap();
  const picked = usePickedBars();
  const groups = useGroupBars(theme, strip, picked === null);
  const committed = useViewState((state) => state.committed);
  const timeRange = useViewState((state) => state.selection.timeRange);
  const chosen = chosenRange({ committed, timeRange });
  const [menu, setMenu] = useState<ThreadMenuPlace | null>(null);
  const [preview, setPreview] = useState<TimeRange | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  useTrackWidth(body, track);
  usePart('time', body);
  const choose = (next: TimeRange | null): void => {
    view.select({ timeRange: next === null ? null : settledRange(next, whole) });
  };
  const pointer = useTimePointer(body, {
    track,
    whole,
    window,
    onWindow: (next) => view.lookAtTime({ window: next }),
    onRange: choose,
    onClick: (time) => {
      if (chosen !== null && (time < chosen.start || time >= chosen.end)) choose(null);
      else if (strip !== null) {
        const near = nearBars(strip, time);
        const span = rangeBetween(near.start, near.end, chosen ?? whole);
        if (span !== null) void pickStack(view, { threads: view.store.get().selection.threads, time, span });
      }
    },
  });
  const range = pointer.drag ?? preview ?? chosen;
  const pointed = usePointedTime(pointer.hover?.time ?? null, window);
  const run = useRunCommand();
  const onKeyDown = (event: KeyboardEvent): void => {
    const shortcut = keymap.at('time', event);
    const nextWindow = windowForShortcut(shortcut, { window, whole, chosen });
    const nextRange = rangeForKey(event, { window, whole, chosen });
    const nextChoice = timeChoiceFor(shortcut, { committed, timeRange });
    if (nextChoice !== undefined) view.commitTime(nextChoice);
    else if (nextWindow !== undefined) view.lookAtTime({ window: nextWindow });
    else if (nextRange !== undefined) choose(nextRange);
    else if (shortcut === 'time.mark') onOpen('marks');
    else if (shortcut === 'time.note') run(chosen === null ? 'note.add-whole' : 'note.add-range');
    else if (shortcut === 'time.stack' && chosen !== null) void pickStackIn(view, chosen);
    else if (shortcut === 'time.range') onOpen('range');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <section ref={body} className="time-pane" aria-label="Time" {...pointer.handlers}>
        <div className="time-head">
          {tools}
          <div ref={track} className="time-track">
            <MarkLane zero={zero} whole={whole} window={window} gaps={gaps} onRange={choose} />
            <div
              className="time-slider"
              role="slider"
              tabIndex={0}
              aria-label="Time range. Arrows move, Shift+arrows resize, plus and minus zoom, Escape clears"
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={chosen === null ? 0 : Math.round(shareOf(whole, chosen.start) * 100)}
              aria-valuetext={stripText(chosen, whole, zero)}
              onKeyDown={onKeyDown}
            >
              <div className="time-bars">
                {strip !== null && (
                  <BarsCanvas
                    grid={strip}
                    weight={strip.weight}
                    hidden={strip.hidden}
                    groups={groups}
                    marked={picked}
                    highest={highestOf(strip)}
                    window={window}
                    theme={theme}
                  />
                )}
              </div>
              <TimeAxis window={window} zero={zero} />
            </div>
          </div>
        </div>
        {threads !== null && <ThreadTracks threads={threads} window={window} theme={theme} onMenu={setMenu} />}
        {threads !== null && series !== undefined && <SeriesLanes series={series} window={window} />}
        <div className="time-overlay">
          {range !== null && (
            <RangeBrush
              range={range}
              window={window}
              zero={zero}
              whole={whole}
              track={track}
              onRange={choose}
              onPreview={setPreview}
            />
          )}
          {pointed !== null && <div className="time-hair" style={{ left: `${shareOf(window, pointed) * 100}%` }} />}
        </div>
        {pointer.hover !== null && strip !== null && !quiet && menu === null && (
          <TracksTip
            hover={pointer.hover}
            drag={pointer.drag}
            strip={strip}
            picked={picked}
            groups={groups}
            threads={threads}
            gaps={gaps}
            theme={theme}
          />
        )}
      </section>
      {menu !== null && (
        <Menu
          title={threadLabel(view.profile.threads, menu.thread)}
          groups={threadMenu(view, menu.thread)}
          point={menu.point}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}

/**
 * Returns the moment under the pointer, which is shared with the time-ordered graph in both directions; null if it is
 * outside the window.
 */
function usePointedTime(own: number | null, window: TimeRange): number | null {
  const { pointedTime } = useView();
  const ofGraph = useStore(pointedTime, ({ time, on }) => (on === 'graph' ? time : null));
  useEffect(() => {
    pointedTime.set({ time: own, on: 'strip' });
  }, [pointedTime, own]);
  const pointed = own ?? ofGraph;
  return pointed !== null && pointed >= window.start && pointed < window.end ? pointed : null;
}

/** Returns the weight of the highest bar, including what transforms hide. */
function highestOf({ weight, hidden }: TimeStrip): number {
  return weight.reduce((most, one, bucket) => Math.max(most, one + (hidden?.[bucket] ?? 0)), 0);
}

/** Keeps the rows below the strip as wide as the strip, whatever a scroll bar takes. */
function useTrackWidth(body: RefObject<HTMLElement | null>, track: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const [outer, element] = [body.current, track.current];
    if (outer === null || element === null) return undefined;
    const observer = new ResizeObserver(() => outer.style.setProperty('--time-track', `${element.clientWidth}px`));
    observer.observe(element);
    return () => observer.disconnect();
  }, [body, track]);
}
