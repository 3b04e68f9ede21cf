import { flushSync } from 'react-dom';
import { useId, useLayoutEffect, useMemo, useRef, useState, type JSX, type KeyboardEvent } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import type { FlameGraphProps, FlameSlice, FlameSource, ViewPoint } from './flame-graph.types.ts';
import { FlameLegend } from './flame-legend.tsx';
import { FlameView } from './flame-view.ts';
import type { FlameViewEvents, FlameViewState } from './flame-view.types.ts';
import { frameColours, legendOf, matchColour } from './frame-colour.ts';
import { detailOfPath, type FrameDetail } from './frame-detail.ts';
import { announcement, stackText, titleOf } from './frame-text.ts';
import { FrameTooltip } from './frame-tooltip.tsx';
import { Minimap } from './minimap.tsx';
import { DEFAULT_KEYMAP } from '../keys/keymap.ts';
import { flameKey, keyboardHelp, type FlameKey } from './keyboard.ts';
import { usePath, useZoom } from './use-zoom.ts';
import './flame-graph.css';

const TREE_ROOT = 0 as CallNodeIndex;

/** What went wrong, and when it no longer matters. */
interface Problem {
  readonly message: string;
  readonly source: FlameSource;
  readonly rootNode: CallNodeIndex;
}

interface Hover {
  readonly detail: FrameDetail;
  readonly point: ViewPoint;
  readonly whole: boolean;
}

/** The flame graph as a keyboard-operable widget: crumbs of the zoom, the drawing, its tooltip and its announcements. */
export function FlameGraph(props: FlameGraphProps): JSX.Element {
  const { source, rootNode, orientation, theme, format, onZoom } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const chart = useRef<HTMLDivElement>(null);
  const mapBox = useRef<HTMLDivElement>(null);
  const overlay = useRef<SVGSVGElement>(null);
  const view = useRef<FlameView | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [current, setCurrent] = useState<FrameDetail | null>(null);
  const [notice, setNotice] = useState('');
  const ids = useId().replace(/[^\w-]/g, '');
  const zoom = useZoom(source, rootNode, onZoom);
  const path = usePath(source, rootNode);
  const { colourMode = 'package', keymap = DEFAULT_KEYMAP } = props;
  const colourOf = useMemo(
    () => props.colourOf ?? frameColours(colourMode, theme),
    [props.colourOf, colourMode, theme],
  );
  const [drawn, setDrawn] = useState<FlameSlice | null>(null);
  const entries = useMemo(() => (drawn === null ? [] : legendOf(drawn, colourMode, theme)), [drawn, colourMode, theme]);

  function select(detail: FrameDetail): void {
    if (detail.frame === null) return;
    props.onSelect(detail.frame);
    setCurrent(detail);
    setNotice('');
  }

  function reportProblem(cause: unknown): void {
    setProblem({ message: cause instanceof Error ? cause.message : String(cause), source, rootNode });
  }

  /** A zoom right after a gesture follows it in the history, and is not undone when the gesture comes to rest. */
  const settle = () => flushSync(() => view.current?.settle());

  function openFiller(detail: FrameDetail, share: number): void {
    const range = view.current?.rangeOf(detail, share) ?? null;
    setCurrent(null);
    setNotice(`${titleOf(detail, format)}: shown across the width. Escape goes back.`);
    zoom.toRange(range, false);
  }

  const events: FlameViewEvents = {
    onHover(detail, point, whole) {
      setHover(detail === null ? null : { detail, point, whole });
      props.onHover?.(detail?.frame ?? null, point);
    },
    onClick(detail, share) {
      settle();
      if (detail.frame === null) {
        openFiller(detail, share);
        return;
      }
      select(detail);
      zoom.to(detail.frame.node);
    },
    onDrawn: setDrawn,
    onRange: (range) => zoom.toRange(range, true),
    onViewport(first, last) {
      const box = mapBox.current;
      if (box === null || source.totalWeight <= 0) return;
      box.style.left = `${(first / source.totalWeight) * 100}%`;
      box.style.width = `${((last - first) / source.totalWeight) * 100}%`;
      box.classList.toggle('whole', first <= 0 && last >= source.totalWeight);
    },
    onContextMenu(detail, point) {
      if (detail.frame === null) return;
      select(detail);
      setHover(null);
      props.onContextMenu?.(detail.frame, point);
    },
    onError: reportProblem,
  };
  const latestEvents = useRef(events);
  useLayoutEffect(() => {
    latestEvents.current = events;
  });

  useLayoutEffect(() => {
    const made = new FlameView(
      {
        scroller: scroller.current!,
        content: content.current!,
        layer: layer.current!,
        chart: chart.current!,
        overlay: overlay.current!,
      },
      {
        onHover: (detail, point, whole) => latestEvents.current.onHover(detail, point, whole),
        onClick: (detail, share) => latestEvents.current.onClick(detail, share),
        onContextMenu: (detail, point) => latestEvents.current.onContextMenu(detail, point),
        onDrawn: (data) => latestEvents.current.onDrawn(data),
        onRange: (range) => latestEvents.current.onRange(range),
        onViewport: (first, last) => latestEvents.current.onViewport(first, last),
        onError: (message) => latestEvents.current.onError(message),
      },
    );
    view.current = made;
    return () => {
      made.dispose();
      view.current = null;
    };
  }, []);

  const { selectedNode, selectedFunction, matches } = props;
  const { range } = zoom;
  const matched = colourMode === 'search' ? matchColour(theme) : null;
  const legendSearch = useMemo(() => (matches === null ? null : { colour: matched }), [matches, matched]);
  const fillerPaint = `url(#${ids}-filler)`;
  const state = useMemo<FlameViewState>(
    () => ({
      source,
      orientation,
      rootNode,
      range,
      selectedNode,
      selectedFunction,
      matches,
      colourOf,
      matchColour: matched,
      theme,
      format,
      fillerPaint,
    }),
    [
      source,
      orientation,
      rootNode,
      range,
      selectedNode,
      selectedFunction,
      matches,
      colourOf,
      matched,
      theme,
      format,
      fillerPaint,
    ],
  );
  useLayoutEffect(() => view.current?.setState(state), [state]);

  async function goToMatch(step: 1 | -1): Promise<void> {
    if (matches === null) return;
    const minTotal = view.current?.minTotal ?? 0;
    const node = await source.requestMatch({ matches, root: rootNode, from: selectedNode, step, minTotal });
    if (node === null) {
      setNotice('No match below the zoomed root.');
      return;
    }
    const detail = detailOfPath(await source.requestPath(node), rootNode);
    select(detail);
    view.current?.revealDepth(detail.depth);
    if (range !== null && view.current?.detailOf(node) === null) zoom.toRange(null, false);
    if (detail.total < minTotal) setNotice('The match is too narrow to draw here: Enter zooms to it.');
  }

  async function copyStack(): Promise<void> {
    props.onCopy?.(stackText(await source.requestPath(selectedNode ?? rootNode)));
  }

  function openMenu(): void {
    const detail = view.current?.detailOf(selectedNode) ?? null;
    const point = selectedNode === null ? null : (view.current?.pointOf(selectedNode) ?? null);
    if (detail?.frame && point !== null) props.onContextMenu?.(detail.frame, point);
  }

  /** False where the key had nothing to do, so that others may use it. */
  function act(key: FlameKey): boolean {
    switch (key.kind) {
      case 'walk': {
        const detail = view.current?.walk(key.step) ?? null;
        if (detail === null) return true;
        if (detail.frame === null) setCurrent(detail);
        else select(detail);
        view.current?.revealDepth(detail.depth);
        return true;
      }
      case 'zoom':
        settle();
        if (view.current?.fillerDetail) openFiller(view.current.fillerDetail, 0.5);
        else if (selectedNode !== null) zoom.to(selectedNode);
        return true;
      case 'scale':
        view.current?.zoomBy(key.factor);
        return true;
      case 'pan':
        view.current?.panBy(key.share);
        return true;
      case 'back':
        settle();
        if (zoom.back()) return true;
        if (selectedNode === null) return false;
        props.onSelect(null);
        return true;
      case 'home':
        settle();
        zoom.to(TREE_ROOT);
        view.current?.revealDepth(0);
        return true;
      case 'match':
        void goToMatch(key.step).catch(reportProblem);
        return true;
      case 'copy':
        void copyStack().catch(reportProblem);
        return true;
      case 'search':
        props.onSearch?.();
        return true;
      case 'invert':
        props.onOrientationChange?.(orientation === 'flame' ? 'icicle' : 'flame');
        return true;
      case 'menu':
        openMenu();
        return true;
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    const key = flameKey(event, orientation, keymap);
    if (key !== null && act(key)) event.preventDefault();
  }

  const zoomed = path[path.length - 1];
  const inView = range === null ? '' : `in view ${format.share(range.last - range.first, source.totalWeight)} of `;
  const isCurrent = current !== null && (current.frame === null || current.frame.node === selectedNode);
  const spoken = isCurrent ? current : detailOfPath(path, rootNode);
  const message = problem?.source === source && problem.rootNode === rootNode ? problem.message : null;
  return (
    <section className="flame-graph" data-theme={theme}>
      <header className="flame-head">
        <Breadcrumbs path={path} onZoom={zoom.to} />
        <span className="flame-total">
          {zoomed === undefined
            ? ''
            : `${inView}${format.value(zoomed.total)} · ${format.share(zoomed.total, source.totalWeight)}`}
        </span>
      </header>
      <Minimap
        source={source}
        orientation={orientation}
        theme={theme}
        colourOf={colourOf}
        box={mapBox}
        view={() => view.current?.viewport ?? { first: 0, last: source.totalWeight }}
        onShow={(first, last) => view.current?.show(first, last)}
      />
      <div
        ref={scroller}
        className="flame-scroller"
        tabIndex={0}
        role="tree"
        aria-label={`Flame graph: ${props.label}, ${format.value(source.totalWeight)}, ${source.maxDepth} levels`}
        aria-describedby={`${ids}-help`}
        aria-activedescendant={`${ids}-${spoken.frame?.node ?? 0}`}
        onKeyDown={onKeyDown}
      >
        <div
          id={`${ids}-${spoken.frame?.node ?? 0}`}
          className="flame-unseen"
          role="treeitem"
          aria-selected={spoken === current}
          aria-level={spoken.depth + 1}
        >
          {announcement(spoken, source.totalWeight, format)}
        </div>
        <div ref={content} className="flame-content" aria-hidden="true">
          <div ref={layer} className="flame-layer">
            <div ref={chart} className="flame-chart" />
            <svg ref={overlay} className="flame-overlay" />
          </div>
        </div>
      </div>
      <FlameLegend entries={entries} hasFillers={drawn?.slice.node.includes(-1) === true} search={legendSearch} />
      <p id={`${ids}-help`} className="flame-unseen">
        {keyboardHelp(keymap)}
      </p>
      <p className="flame-notice" aria-live="polite">
        {notice}
      </p>
      {message === null ? null : (
        <p className="flame-message" role="alert">
          {message}
        </p>
      )}
      {message === null && source.totalWeight <= 0 ? (
        <p className="flame-message">Nothing to show: no sample in this selection has weight.</p>
      ) : null}
      <FillerHatch id={`${ids}-filler`} />
      {hover === null ? null : <FrameTooltip {...hover} totalWeight={source.totalWeight} format={format} />}
    </section>
  );
}

/** What fillers are painted with. */
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
