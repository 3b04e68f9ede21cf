import { useRunCommand } from '../../state/run-command.ts';
import { useRef, useState, useMemo, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import { cellAt, rangeOfCells, type TimeRange } from '#core/analyze/time/grid.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { usePart } from '../../ui/parts.tsx';
import { chosenRange } from '../../ui/time/committed-ranges.ts';
import { HeatCanvas, type CellSpan } from '../../ui/time/heat-canvas.tsx';
import { movedCursor, spanOf, type HeatCursor } from '../../ui/time/heat-keys.ts';
import { HeatTable } from './heat-table.tsx';
import { MarkLane } from './mark-lane.tsx';
import { isPlainKey, timeChoiceFor, windowForShortcut } from '../../ui/time/strip-keys.ts';
import { TimeAxis } from '../../ui/time/time-axis.tsx';
import type { TimeFormProps } from './form.types.ts';
import type { TimeTool } from './tools.tsx';
import { pickStackIn } from './pick-stack.ts';
import { rangeBetween, settledRange } from '../../ui/time/time-scale.ts';
import { useWheel } from '../../ui/time/use-time-pointer.ts';
import type { HeatMap } from '#core/analyze/time/strip.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { format, count, countOf } from '../../ui/format.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { heatRamp } from '../../ui/time/heat-colours.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';
import { durationLabel, rangeLabel, timeLabel, wallClock } from '../../ui/time/time-label.ts';
import { TimeTip, type TipLine } from '../../ui/time/time-tip.tsx';

interface HeatMapViewProps extends TimeFormProps {
  readonly map: HeatMap | null;
}

/** Maximum width of a cell; wider ones show nothing more. */
const MAX_CELL_PX = 96;

/**
 * FlameScope's heat map: dragging from cell to cell, or moving with arrows and Shift, selects the time between them.
 */
export function HeatMapView(props: HeatMapViewProps): ReactElement {
  const { map, zero, whole, window, gaps, theme, tools, onOpen, quiet } = props;
  const view = useView();
  const pane = useRef<HTMLElement>(null);
  usePart('time', pane);
  const asText = useViewState((state) => state.time.asText);
  const inner = useViewState((state) => state.committed.at(-1) ?? null);
  const choose = (timeRange: TimeRange | null): void => {
    // Columns are whole seconds, which may begin before a committed range.
    const range =
      timeRange === null || inner === null ? timeRange : rangeBetween(timeRange.start, timeRange.end, inner);
    view.select({ timeRange: range === null ? null : settledRange(range, whole) });
  };
  return (
    <section ref={pane} className="time-pane heat" aria-label="Time">
      <div className="time-head">
        <div className="time-side">
          {tools}
          {map !== null && <HeatLegend map={map} theme={theme} />}
        </div>
        {map !== null && asText && <HeatTable map={map} onRange={choose} />}
        {map !== null && !asText && (
          <div className="time-map" style={{ maxWidth: map.columns * MAX_CELL_PX }}>
            <MarkLane zero={zero} whole={whole} window={map} gaps={gaps} onRange={choose} />
            <MapGrid
              map={map}
              whole={whole}
              window={window}
              theme={theme}
              onRange={choose}
              onOpen={onOpen}
              quiet={quiet}
            />
            <TimeAxis window={map} zero={zero} />
          </div>
        )}
      </div>
    </section>
  );
}

interface MapGridProps {
  readonly map: HeatMap;
  readonly whole: TimeRange;
  readonly window: TimeRange;
  readonly theme: Theme;
  readonly onRange: (range: TimeRange | null) => void;
  readonly onOpen: (tool: TimeTool) => void;
  /** True while a form is open, which hides the tooltip. */
  readonly quiet: boolean;
}

/** The map as a grid; only the cell under the keyboard cursor is in the document. */
function MapGrid({ map, whole, window, theme, onRange, onOpen, quiet }: MapGridProps): ReactElement {
  const view = useView();
  const keymap = useKeymap();
  const committed = useViewState((state) => state.committed);
  const timeRange = useViewState((state) => state.selection.timeRange);
  const chosen = chosenRange({ committed, timeRange });
  const [cursor, setCursor] = useState<HeatCursor | null>(null);
  const [focused, setFocused] = useState(false);
  const [pressed, setPressed] = useState<HeatCursor | null>(null);
  const [hover, setHover] = useState<{ cell: number; x: number; y: number } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const last = map.columns * map.rows - 1;
  const kept = chosen === null ? null : cellsOf(map, chosen);
  const extended = cursor !== null && cursor.anchor !== cursor.cell;
  const shown = pressed !== null ? spanOf(pressed) : extended ? spanOf(cursor) : kept;
  const at = Math.min(last, pressed?.cell ?? cursor?.cell ?? kept?.first ?? 0);

  const cellOf = (event: PointerEvent): number => {
    const { left, top, width, height } = box.current!.getBoundingClientRect();
    const inside = (share: number, count: number): number =>
      Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    const column = inside((event.clientX - left) / width, map.columns);
    return column * map.rows + (map.rows - 1 - inside((event.clientY - top) / height, map.rows));
  };
  const apply = (span: CellSpan): void => {
    onRange(rangeOfCells(map, span.first, span.last));
    setCursor({ anchor: span.last, cell: span.last });
  };
  useWheel(box, {
    whole,
    window,
    onWindow: (next) => view.lookAtTime({ window: next }),
    timeOf: (x) => {
      const { left, width } = box.current!.getBoundingClientRect();
      return map.start + ((x - left) / width) * (map.end - map.start);
    },
  });
  const run = useRunCommand();
  const onKeyDown = (event: KeyboardEvent): void => {
    const shortcut = keymap.at('time', event);
    const isPlain = isPlainKey(event);
    const moved = isPlain ? movedCursor(event.key, event.shiftKey, cursor, map, kept?.first ?? 0) : undefined;
    const zoomed = moved === undefined ? windowForShortcut(shortcut, { window, whole, chosen }) : undefined;
    const nextChoice = timeChoiceFor(shortcut, { committed, timeRange });
    if (moved !== undefined) setCursor(moved);
    else if (nextChoice !== undefined) view.commitTime(nextChoice);
    else if (zoomed !== undefined) view.lookAtTime({ window: zoomed });
    else if (event.key === 'Enter' && cursor !== null) apply(spanOf(cursor));
    else if (event.key === 'Escape' && extended) setCursor({ anchor: cursor.cell, cell: cursor.cell });
    else if (event.key === 'Escape' && chosen !== null) onRange(null);
    else if (shortcut === 'time.mark') onOpen('marks');
    else if (shortcut === 'time.note') run(chosen === null ? 'note.add-whole' : 'note.add-range');
    else if (shortcut === 'time.stack' && chosen !== null) void pickStackIn(view, chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const cellId = `heat-cell-${view.id}`;
  return (
    <div
      ref={box}
      className="time-grid"
      role="grid"
      tabIndex={0}
      aria-label="Heat map of samples by second. Arrows move, Shift+arrows extend, Enter selects that time, Escape clears"
      aria-rowcount={map.rows}
      aria-colcount={map.columns}
      aria-multiselectable="true"
      aria-activedescendant={cellId}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const cell = cellOf(event);
        setPressed({ anchor: cell, cell });
      }}
      onPointerMove={(event) => {
        const cell = cellOf(event);
        setHover({ cell, x: event.clientX, y: event.clientY });
        if (pressed !== null && pressed.cell !== cell) setPressed({ ...pressed, cell });
      }}
      onPointerUp={() => {
        setPressed(null);
        if (pressed !== null) apply(spanOf(pressed));
      }}
      onPointerCancel={() => setPressed(null)}
      onPointerLeave={() => setHover(null)}
    >
      <HeatCanvas
        map={map}
        first={shown?.first ?? null}
        last={shown?.last ?? null}
        cursor={focused && pressed === null ? at : null}
        theme={theme}
      />
      <div role="row" aria-rowindex={(at % map.rows) + 1}>
        <div
          id={cellId}
          role="gridcell"
          className="sr-only"
          aria-colindex={Math.floor(at / map.rows) + 1}
          aria-selected={shown !== null && at >= shown.first && at <= shown.last}
        >
          {cellText(map, at, view.profile)}
        </div>
      </div>
      {hover !== null && !quiet && (
        <HeatTip
          map={map}
          cell={Math.min(last, hover.cell)}
          span={pressed === null ? null : spanOf(pressed)}
          x={hover.x}
          y={hover.y}
        />
      )}
    </div>
  );
}

/** Returns the cells that a range overlaps; null if the map shows none of it. */
function cellsOf(map: HeatMap, { start, end }: TimeRange): CellSpan | null {
  const seen = rangeBetween(start, end, map);
  if (seen === null) return null;
  const first = cellAt(map, seen.start);
  const last = cellAt(map, seen.end);
  // A range that ends where a cell begins does not include that cell.
  return { first, last: last > first && rangeOfCells(map, last, last).start >= seen.end ? last - 1 : last };
}

/** The legend of colours, columns and rows, and the map as text. */
function HeatLegend({ map, theme }: { map: HeatMap; theme: Theme }): ReactElement {
  const view = useView();
  const asText = useViewState((state) => state.time.asText);
  const weights = weightFormat(view.profile.valueTypes[map.valueType]!.unit);
  const ramp = useMemo(() => heatRamp(theme), [theme]);
  const row = format.value(map.columnNs / map.rows, 'nanoseconds');
  return (
    <div className="heat-legend">
      <div className="heat-legend-ramp" style={{ backgroundImage: `linear-gradient(to right, ${ramp.join(', ')})` }} />
      <div className="heat-legend-ends mono">
        <span>&gt; 0</span>
        <span>{weights.value(map.maxWeight)}</span>
      </div>
      <p className="dim">
        a cell is {row}, a column {format.value(map.columnNs, 'nanoseconds')};{' '}
        {theme === 'dark' ? 'brighter' : 'darker'} is heavier
      </p>
      <Segments
        label="Heat map as"
        value={asText ? 'text' : 'map'}
        options={[
          { value: 'map', label: 'Map' },
          { value: 'text', label: 'Text', title: 'The columns as a table of numbers' },
        ]}
        onChange={(form) => view.lookAtTime({ asText: form === 'text' })}
      />
    </div>
  );
}

interface HeatTipProps {
  readonly map: HeatMap;
  readonly cell: number;
  /** The cells being dragged over. */
  readonly span: CellSpan | null;
  readonly x: number;
  readonly y: number;
}

/** The tooltip of the cell under the pointer or, while dragging, of the selected time. */
function HeatTip({ map, cell, span, x, y }: HeatTipProps): ReactElement {
  const { profile } = useView();
  const weights = weightFormat(profile.valueTypes[map.valueType]!.unit);
  const cells = span ?? { first: cell, last: cell };
  const range = rangeOfCells(map, cells.first, cells.last);
  const lines: TipLine[] = [];
  const clock = wallClock(profile.metadata, range.start);
  if (clock !== null) lines.push({ label: 'clock', value: clock });
  if (span !== null && span.last > span.first) lines.push({ label: 'length', value: durationLabel(range) });
  lines.push({ label: 'samples', value: count(sumOf(map.sampleCount, cells)) });
  lines.push({ label: 'weight', value: weights.value(sumOf(map.weight, cells)) });
  return <TimeTip x={x} y={y} title={rangeLabel(range, map.whole.start)} lines={lines} />;
}

/** Describes a cell: its start, samples and weight. */
function cellText(map: HeatMap, cell: number, profile: OpenedProfile): string {
  const { start } = rangeOfCells(map, cell, cell);
  const samples = map.sampleCount[cell]!;
  const at = timeLabel(start - map.whole.start, map.columnNs / map.rows);
  const weight = weightFormat(profile.valueTypes[map.valueType]!.unit).value(map.weight[cell]!);
  if (samples > 0) return `${at}: ${countOf(samples, 'sample')}, ${weight}`;
  // A part of a sum need not contain a whole row.
  return map.weight[cell] === 0 ? `${at}: no samples` : `${at}: ${weight}`;
}

function sumOf(values: Int32Array | Float64Array, { first, last }: CellSpan): number {
  let sum = 0;
  for (let cell = first; cell <= last; cell++) sum += values[cell]!;
  return sum;
}
