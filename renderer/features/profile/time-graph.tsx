import { useMemo, useState, type ReactElement } from 'react';
import type { MomentAt } from '#core/analyze/time/order.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { FlameGraph } from '../../ui/flame/graph.tsx';
import type { AxisLook, FrameRef, ViewPoint, WeightFormat } from '../../ui/flame/graph.types.ts';
import { countOf } from '../../ui/format.ts';
import { tickStep, timeLabel } from '../../ui/time/time-label.ts';
import type { GraphPlaces } from '../../state/profile/view-state.ts';
import type {
  GraphFacts,
  GraphPlace,
  GraphRef,
  GraphTime,
  SampleWidths,
} from '../../analysis/profile/graph-protocol.ts';
import { EmptyGraph } from './empty-graph.tsx';
import { useBesideGraph } from './shared-graph-props.ts';
import type { GraphPaneProps } from './graph-pane.types.ts';
import { useGraphStart } from '../../state/profile/graph-requests.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { SampleHair, TimeHair, TimePointed } from './time-hair.tsx';
import { weightFormat } from '../../state/weight-format.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import './graphs.css';
import { Button } from '../../ui/buttons.tsx';

const IN_TIME: Readonly<Record<SampleWidths, GraphRef>> = {
  time: { kind: 'time-order', widths: 'time' },
  weight: { kind: 'time-order', widths: 'weight' },
};
const ROOT = 0 as CallNodeIndex;
const placeInTime = ({ timeOrder }: GraphPlaces): GraphPlace | null => timeOrder;
const DURATIONS = weightFormat('nanoseconds');
const TIMES: AxisLook = {
  from: 'tree',
  scale: (_, least) => {
    const step = tickStep(least);
    return { step, text: (time) => timeLabel(time, step) };
  },
};

/** Samples in order of time, each as wide as the time until the next one, or as its weight. */
export function TimeGraph(props: GraphPaneProps): ReactElement {
  const view = useView();
  const { widths = 'time' } = props.analysis.tree;
  const shown = useGraphStart(view, props.analysis, IN_TIME[widths], placeInTime);
  if (shown === undefined) return <p className="graph-note pending">Sorting samples by time…</p>;
  const { start, analysis } = shown;
  if (start === null || start.facts.time === null) {
    return (
      <EmptyGraph>
        <p>No sample in this profile has a timestamp, so they can’t be shown in time order.</p>
        <p className="dim">
          Formats with timestamps: perf script, Chrome traces, Firefox profiles, .cpuprofile, Instruments traces. Folded
          stacks and pprof hold sums only.
        </p>
        <Button onClick={() => view.setTree({ kind: 'top-down' })}>Show the call tree</Button>
      </EmptyGraph>
    );
  }
  const { facts, zoomed } = start;
  return <Chart key={widths} {...props} {...{ analysis, widths, facts, zoomed }} time={start.facts.time} />;
}

interface ChartProps extends GraphPaneProps {
  readonly widths: SampleWidths;
  readonly facts: GraphFacts;
  readonly time: GraphTime;
  readonly zoomed: CallNodeIndex;
}

function Chart({ analysis, theme, onMenu, widths, facts, time, zoomed }: ChartProps): ReactElement {
  const view = useView();
  const orientation = useViewState((state) => state.orientation);
  const graph = IN_TIME[widths];
  const keep = (timeOrder: GraphPlace | null): void => view.lookAtGraphs({ timeOrder });
  const places = { first: zoomed, home: ROOT, placeIn: placeInTime, keep };
  const { props, counts, describe, select } = useBesideGraph(analysis, graph, facts, places);
  const [shown, setShown] = useState({ start: 0, end: facts.totalWeight });

  const { momentAt, placeOf } = useMemo(() => {
    const find = (at: MomentAt) => view.ask('graph-moment', { revision: analysis.revision, tree: graph, at });
    return {
      momentAt: async (place: number) => (await find({ place }))?.time ?? null,
      placeOf: async (time: number) => (await find({ time }))?.place ?? null,
    };
  }, [view, analysis.revision, graph]);

  /** Selects the same stack in the call tree, since tables and details refer to it. */
  async function pick(frame: FrameRef): Promise<CallNodeIndex | null> {
    if (frame.func === null) return null;
    const node = await view.ask('graph-node', {
      revision: analysis.revision,
      tree: graph,
      node: frame.node,
    });
    view.pick({ func: frame.func, node });
    return node;
  }

  async function openMenu(frame: FrameRef, point: ViewPoint): Promise<void> {
    const node = await pick(frame);
    if (frame.func === null) return;
    onMenu({
      frame: { func: frame.func, node: node ?? ROOT },
      point,
      from: node === null ? 'table' : 'graph',
      zoom: () => props.zoom.to(frame.node),
    });
  }

  const follow = (start: number, end: number): void => setShown({ start, end });
  const chart = (hair: ReactElement): ReactElement => (
    <FlameGraph
      {...props}
      {...(widths === 'time' ? { format: DURATIONS, axis: TIMES } : {})}
      onViewport={follow}
      orientation={orientation}
      theme={theme}
      label={`${props.label}, in order of time`}
      headEnd={<SampleWidthChoice />}
      {...(widths === 'weight' && counts ? {} : { describe })}
      onSelect={(frame) => {
        select(frame);
        if (frame === null) view.pick(null);
        else void pick(frame);
      }}
      onContextMenu={(frame, point) => void openMenu(frame, point)}
    >
      <TimeNotes widths={widths} facts={facts} time={time} format={props.format} />
      {hair}
    </FlameGraph>
  );
  if (widths === 'weight') {
    return (
      <TimePointed shown={shown} momentAt={momentAt}>
        {chart(<SampleHair shown={shown} placeOf={placeOf} />)}
      </TimePointed>
    );
  }
  const inView = { start: time.span.start + shown.start, end: time.span.start + shown.end };
  return <TimePointed shown={inView}>{chart(<TimeHair shown={inView} />)}</TimePointed>;
}

interface TimeNotesProps {
  readonly widths: SampleWidths;
  readonly facts: GraphFacts;
  readonly time: GraphTime;
  readonly format: WeightFormat;
}

/** Notes about what the graph cannot show. */
function TimeNotes({ widths, facts, time, format }: TimeNotesProps): ReactElement {
  const { gaps, threads, withoutTime, withoutTimeWeight, samples } = time;
  const isTime = widths === 'time';
  const { value, share } = isTime ? DURATIONS : format;
  const blank = isTime ? gaps : gaps - withoutTimeWeight;
  const notes = [
    `${countOf(samples, 'sample')}, each as wide as ${isTime ? 'the time until the next' : 'its weight'}`,
    ...(blank > 0
      ? [`${value(blank)} (${share(blank, facts.totalWeight)}) without ${isTime ? 'a sample or a stack' : 'a stack'}`]
      : []),
    ...(threads > 1 ? [`${countOf(threads, 'thread')} share one row of stacks: select one to see it alone`] : []),
    ...(withoutTime > 0
      ? [
          `${countOf(withoutTime, 'sample')} (${format.value(withoutTimeWeight)}) without a timestamp are ${isTime ? 'not shown' : 'the gap at the end'}`,
        ]
      : []),
    ...(facts.cutDepth === null ? [] : [`frames deeper than ${facts.cutDepth} are hidden: select a time range`]),
  ];
  return (
    <ul className="graph-note" aria-label="About this graph">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function SampleWidthChoice(): ReactElement {
  const view = useView();
  const widths = useViewState((state) => state.tree.widths ?? 'time');
  return (
    <Segments
      label="Widths"
      value={widths}
      options={[
        { value: 'time', label: 'by time', title: 'Width is the time until the next sample' },
        {
          value: 'weight',
          label: 'by weight',
          title: 'Width is weight; idle time takes no space',
        },
      ]}
      onChange={(chosen) => view.setTree({ widths: chosen })}
    />
  );
}
