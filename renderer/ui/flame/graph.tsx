import {
  startTransition,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useImperativeHandle,
  type JSX,
  type KeyboardEvent,
  type RefObject,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { FlameSlice, FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { FlameGraphProps } from './graph-props.ts';
import { GraphHead, GraphMessage } from './graph-head.tsx';
import type { GraphLink } from './graph-link.ts';
import { FlameLegend } from './legend/legend.tsx';
import type { LegendEntry } from './legend/entries.ts';
import type { FlameView } from './view.ts';
import type { FlameViewEvents } from './view.types.ts';
import { matchColour, NO_SLOTS } from '#core/colour/frame-colour.ts';
import { messageOf } from '#core/model/failure.ts';
import { detailOfPath, type FrameDetail } from './tooltip/frame-detail.ts';
import { announcement } from './tooltip/frame-text.ts';
import { EdgeMarker, type RowsHandle } from './edge-marker.tsx';
import { useGraphColours } from './use-graph-colours.ts';
import { useSelfWeights } from './use-self-weights.ts';
import { mapRows, placeAcross, placeRows, scrollToRow, type VisibleRows } from './minimap/map-box.ts';
import { Minimap } from './minimap/minimap.tsx';
import { useKeptFocus } from './input/kept-focus.ts';
import { DEFAULT_KEYMAP } from '../keys/keymap.ts';
import type { ShortcutId } from '../keys/shortcuts.ts';
import { pinText, type Pin } from '../pin.ts';
import { usePart, useParts } from '../parts.tsx';
import { useRowSizes } from '../row-sizes.ts';
import { flameKey, graphAction, keyboardHelp } from './input/keyboard.ts';
import { useFlameView } from './use-flame-view.ts';
import { usePath } from './use-zoom.ts';
import './graph.css';
import './minimap/minimap.css';
import './legend/legend.css';
import './tooltip/tooltip.css';
import { FrameTooltip, type FrameTooltipProps, type TooltipFrame } from './tooltip/tooltip.tsx';
import { createFlameActions, type FlameActions, type FlameHands } from './input/actions.ts';

const NO_PINS: readonly Pin[] = [];
const NO_ENTRIES: readonly LegendEntry[] = [];

/** An error, with the source and root to which it applies. */
interface SliceFailure {
  readonly message: string;
  readonly source: FlameSource;
  readonly rootNode: number;
}

/** The flame graph as a widget that can be operated by keyboard: breadcrumbs, drawing, tooltip and announcements. */
export function FlameGraph(props: FlameGraphProps): JSX.Element {
  const { source, zoom, orientation, theme, format, matches } = props;
  const { node: rootNode, range } = zoom;
  const mapBox = useRef<HTMLDivElement>(null);
  const shownRows = useRef<VisibleRows>({ rootDepth: 0, first: 0, count: 1 });
  const marker = useRef<RowsHandle>(null);
  const tooltip = useRef<PointTooltip>(null);
  const [problem, setProblem] = useState<SliceFailure | null>(null);
  const [current, setCurrent] = useState<FrameDetail | null>(null);
  const [notice, setNotice] = useState('');
  const ids = useId().replace(/[^\w-]/g, '');
  const { link, deltaStyle = null } = props;
  const { path, totalWeight } = usePath(source, rootNode);
  const { colourMode = 'package', keymap = DEFAULT_KEYMAP } = props;
  const { colourSlots = NO_SLOTS } = props;
  const { scheme, colourOf, lit, isLit, setLit } = useGraphColours(colourMode, theme, colourSlots);
  const [drawn, setDrawn] = useState<FlameSlice | null>(null);
  const self = useSelfWeights(source, rootNode, scheme);
  const rowsNow = useCallback(() => shownRows.current, []);
  const hidden = useMemo(() => hiddenIn(drawn), [drawn]);

  function reportProblem(cause: unknown): void {
    setProblem({ message: messageOf(cause), source, rootNode });
  }

  const events: FlameViewEvents = {
    onHover(detail, point, whole) {
      tooltip.current?.(detail === null ? null : { detail, point, whole, source, describe: props.describe ?? null });
      props.onHover?.(detail?.frame ?? null, point);
    },
    onClick: (detail, share, away) => {
      if (!away || props.onOpenNew === undefined) actions.open(detail, share);
      else if (detail.frame !== null) props.onOpenNew(detail.frame);
    },
    // The drawing is painted first, then its legend.
    onDrawn: (data) => startTransition(() => setDrawn(data)),
    onRange: (range) => zoom.toRange(range, true),
    onViewport(first, last) {
      placeAcross(mapBox.current, { first, last }, source.scale);
      props.onViewport?.(first, last);
    },
    onRows(rows) {
      shownRows.current = rows;
      marker.current?.(rows);
      placeRows(mapBox.current, rows, mapRows(source.maxDepth), orientation);
    },
    onPin: (id) => props.onPin?.(id),
    onScroll: (rootDistancePx) => link?.scroll(ids, rootDistancePx),
    onContextMenu(detail, point) {
      if (detail.frame === null) return;
      actions.select(detail);
      tooltip.current?.(null);
      props.onContextMenu?.(detail.frame, point);
    },
    onError: reportProblem,
  };

  const matched = colourMode === 'search' ? matchColour(theme) : null;
  const legendSearch = useMemo(() => (matches === null ? null : { colour: matched }), [matches, matched]);
  const { framePx } = useRowSizes();
  const fillerPaint = `url(#${ids}-filler)`;
  const state = { ...props, rootNode, range, colourOf, deltaStyle, isLit, matchColour: matched, fillerPaint };
  const { view, scroller, content, layer, chart, overlay, grid, ticks } = useFlameView(state, events, framePx);
  useLinked(link, ids, view);
  useKeptFocus(scroller);
  const { missing = null } = props;
  useEffect(() => view.current?.marks.miss(missing), [view, missing]);
  const { pins = NO_PINS } = props;
  useEffect(() => view.current?.marks.pin(pins), [view, pins]);
  const parts = useParts();
  const search = (): void => parts?.run('search');
  const actions = useFlameActions({ props, view, setCurrent, setNotice, search, reportProblem });
  usePart('graph', scroller, (id) => {
    const key = graphAction(id as ShortcutId, orientation);
    if (key !== null) actions.press(key);
  });

  function onKeyDown(event: KeyboardEvent): void {
    const key = flameKey(event, orientation, keymap);
    if (key !== null && actions.press(key)) event.preventDefault();
  }

  const isCurrent = current !== null && (current.frame === null || current.frame.node === props.selectedNode);
  const spoken = isCurrent ? current : detailOfPath(path, rootNode);
  const message = problem?.source === source && problem.rootNode === rootNode ? problem.message : null;
  const activeId = `${ids}-${spoken.frame?.node ?? 0}`;
  return (
    <section className="flame-graph" data-theme={theme}>
      <GraphHead {...{ props, path, totalWeight }} onZoom={(node) => actions.zoomTo(node, null)} />
      <Minimap
        source={source}
        orientation={orientation}
        theme={theme}
        colourOf={colourOf}
        deltaStyle={deltaStyle}
        box={mapBox}
        view={() => view.current?.viewport ?? { first: 0, last: source.scale }}
        onShow={(first, last) => view.current?.show(first, last)}
        rows={rowsNow}
        onRows={(first) => scrollToRow(scroller.current, first - shownRows.current.rootDepth, framePx, orientation)}
      />
      {props.children}
      <div
        ref={scroller}
        className="flame-scroller"
        tabIndex={0}
        role="tree"
        aria-label={`Flame graph: ${props.label}, ${format.value(source.totalWeight)}, ${source.maxDepth} levels`}
        aria-describedby={`${ids}-help`}
        aria-activedescendant={activeId}
        onKeyDown={onKeyDown}
      >
        <div
          id={activeId}
          className="sr-only"
          role="treeitem"
          aria-selected={spoken === current}
          aria-level={spoken.depth + 1}
        >
          {announcement(spoken, source.totalWeight, format, source.direction, deltaStyle)}
          {pinsOn(pins, spoken)}
        </div>
        <div ref={content} className="flame-content" aria-hidden="true">
          <div ref={layer} className="flame-layer">
            <svg ref={grid} className="flame-grid" />
            <div ref={chart} className="flame-chart" />
            <svg ref={overlay} className="flame-overlay" />
          </div>
        </div>
      </div>
      {self?.hottest && self.source === source && self.root === rootNode ? (
        <EdgeMarker
          handle={marker}
          rows={rowsNow}
          node={self.hottest}
          changed={props.changed}
          onGo={(leaf) => actions.show(leaf)}
          {...{ source, rootNode, orientation, format }}
        />
      ) : null}
      <div ref={ticks} className="flame-axis" aria-hidden="true" />
      <FlameLegend
        entries={deltaStyle === null ? (self?.groups ?? NO_ENTRIES) : NO_ENTRIES}
        direction={source.direction}
        rootTotal={drawn?.rootTotal ?? 0}
        format={format}
        nameless={colourMode === 'search' ? 'no search is active' : 'not grouped'}
        hidden={hidden}
        search={legendSearch}
        lit={lit}
        onLight={setLit}
      />
      <p id={`${ids}-help`} className="sr-only">
        {keyboardHelp(keymap)}
      </p>
      <p className="flame-notice" aria-live="polite">
        {notice}
      </p>
      <GraphMessage
        failure={message}
        total={source.totalWeight}
        missingIn={drawn?.rootTotal === 0 ? props.side : undefined}
        path={path}
      />
      <FillerHatch id={`${ids}-filler`} />
      <PointedTooltip handle={tooltip} format={format} inside={props.tooltip} />
    </section>
  );
}

/** Returns what the pins on a frame say, for screen readers. */
function pinsOn(pins: readonly Pin[], { frame }: FrameDetail): string {
  if (frame === null) return '';
  return pins
    .filter(({ node, func }) => (node === null ? func === frame.func : node === frame.node))
    .map((pin) => `. ${pinText(pin)}`)
    .join('');
}

/** Lets other graphs of the same nodes control this one. */
function useLinked(link: GraphLink | undefined, id: string, view: RefObject<FlameView | null>): void {
  useLayoutEffect(
    () =>
      link?.join(id, {
        zoomTo(node, tell) {
          if (view.current === null) void tell();
          else view.current.zoomTo(node, tell);
        },
        pointAt: (pointed) => view.current?.marks.pointAt(pointed),
        scrollTo: (rootDistancePx) => view.current?.scrollTo(rootDistancePx),
      }),
    [link, id, view],
  );
}

/** Returns the number of frames inside fillers and the weight that ends in them. */
function hiddenIn(drawn: FlameSlice | null): { readonly frames: number; readonly weight: number } {
  let frames = 0;
  let weight = 0;
  if (drawn !== null) {
    const { slice } = drawn;
    for (let row = 0; row < slice.length; row++) {
      if (slice.node[row]! >= 0) continue;
      frames += slice.fillerNodes[row]!;
      weight += slice.total[row]!;
    }
  }
  return { frames, weight };
}

/** The hatching of fillers, used as `url(#id)`. */
function FillerHatch({ id }: { readonly id: string }): JSX.Element {
  return (
    <svg className="flame-defs" width="0" height="0" aria-hidden="true">
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="ground" width="6" height="6" />
        <rect className="stripe" width="2" height="6" />
      </pattern>
    </svg>
  );
}

type PointTooltip = (pointed: TooltipFrame | null) => void;

interface PointedTooltipProps extends Omit<FrameTooltipProps, keyof TooltipFrame | 'children'> {
  /** Receives the frame under the pointer. */
  readonly handle: RefObject<PointTooltip | null>;
  readonly inside: ((detail: FrameDetail) => ReactNode) | undefined;
}

/** The tooltip of the frame under the pointer; it follows the pointer without rendering the graph again. */
function PointedTooltip({ handle, inside, ...look }: PointedTooltipProps): ReactElement | null {
  const [pointed, setPointed] = useState<TooltipFrame | null>(null);
  useImperativeHandle(handle, () => setPointed, []);
  if (pointed === null) return null;
  return (
    <FrameTooltip {...look} {...pointed}>
      {inside?.(pointed.detail)}
    </FrameTooltip>
  );
}

type Given = Omit<FlameHands, 'view'> & { readonly view: RefObject<FlameView | null> };

/** Returns the graph's actions. They keep their identity and act on the component's state at the time of the call. */
function useFlameActions(given: Given): FlameActions {
  const latest = useRef(given);
  useLayoutEffect(() => {
    latest.current = given;
  });
  const [actions] = useState(() =>
    createFlameActions({
      get current() {
        return { ...latest.current, view: latest.current.view.current };
      },
    }),
  );
  return actions;
}
