import { flushSync } from 'react-dom';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { countOf } from '../../format.ts';
import type { FlameGraphProps } from '../graph-props.ts';
import type { FlameView } from '../view.ts';
import { detailOfPath, type FrameDetail } from '../tooltip/frame-detail.ts';
import { foldedLine, stackText, titleOf } from '../tooltip/frame-text.ts';
import type { FlameKey } from './keyboard.ts';

/** The current state of the graph's component, as its actions need it. */
export interface FlameHands {
  readonly props: FlameGraphProps;
  readonly view: FlameView | null;
  /** Sets the frame that was last chosen with the keyboard or mouse; null for none. */
  readonly setCurrent: (detail: FrameDetail | null) => void;
  /** Shows a line that screen readers also announce. */
  readonly setNotice: (text: string) => void;
  /** Focuses the search field. */
  readonly search: () => void;
  readonly reportProblem: (cause: unknown) => void;
}

/** What keys and clicks do to the graph. `hands` is read at each call, because the view is created later. */
export interface FlameActions {
  select(detail: FrameDetail): void;
  /** Selects a frame below the zoomed root, and scrolls it into view. */
  show(detail: FrameDetail): void;
  /** Zooms. The drawing comes first; breadcrumbs, tables and the rest follow. */
  zoomTo(node: CallNodeIndex, detail: FrameDetail | null): void;
  /** Handles a click: zooms to a frame, or expands a filler. `share` is the position across the width, from 0 to 1. */
  open(detail: FrameDetail, share: number): void;
  /** Returns false if the key had no effect, so that others can handle it. */
  press(key: FlameKey): boolean;
}

export function createFlameActions(hands: { readonly current: FlameHands }): FlameActions {
  /**
   * Completes pending zooms and gestures first, so that the next step follows them in the history and is not undone
   * when the gesture rests.
   */
  const settle = (): void => flushSync(() => hands.current.view?.settle());

  function select(detail: FrameDetail): void {
    const { props, setCurrent, setNotice } = hands.current;
    if (detail.frame === null) return;
    props.onSelect(detail.frame);
    setCurrent(detail);
    setNotice('');
  }

  function zoomTo(node: CallNodeIndex, detail: FrameDetail | null): void {
    settle();
    const tell = (): void => {
      if (detail !== null) select(detail);
      hands.current.props.zoom.to(node);
    };
    const { view } = hands.current;
    if (view === null) tell();
    else if (hands.current.props.link === undefined) view.zoomTo(node, tell);
    else hands.current.props.link.zoomTo(node, tell);
  }

  function open(detail: FrameDetail, share: number): void {
    if (detail.frame !== null) {
      zoomTo(detail.frame.node, detail);
      return;
    }
    settle();
    const { props, view, setCurrent, setNotice } = hands.current;
    const range = view?.rangeOf(detail, share) ?? null;
    setCurrent(null);
    setNotice(`${titleOf(detail, props.format)}: zoomed to full width. Escape goes back.`);
    props.zoom.toRange(range, false);
  }

  function show(detail: FrameDetail): void {
    const { props, view } = hands.current;
    select(detail);
    view?.revealDepth(detail.depth);
    if (props.zoom.range !== null && view?.detailOf(detail.frame?.node ?? null) === null)
      props.zoom.toRange(null, false);
  }

  async function goToMatch(step: 1 | -1): Promise<void> {
    const { props, view, setNotice } = hands.current;
    const { source, matches, zoom, selectedNode } = props;
    if (matches === null) return;
    const minTotal = view?.minTotal ?? 0;
    const node = await source.requestMatch({ matches, root: zoom.node, from: selectedNode, step, minTotal });
    if (node === null) {
      setNotice('No match below the zoomed root.');
      return;
    }
    const detail = detailOfPath(await source.requestPath(node), zoom.node);
    show(detail);
    if (detail.total < minTotal) setNotice('The match is too narrow to draw here: Enter zooms to it.');
  }

  async function copy(kind: 'copy' | 'copy-name' | 'copy-folded'): Promise<void> {
    const { props, setNotice } = hands.current;
    const { source, selectedNode, zoom, onCopy } = props;
    const path = await source.requestPath(selectedNode ?? zoom.node);
    const frames = path.filter(({ facts }) => facts !== null);
    if (frames.length === 0 || onCopy === undefined) return;
    const rootFirst = source.direction === 'top-down' ? frames : frames.toReversed();
    if (kind === 'copy') onCopy(stackText(frames));
    else if (kind === 'copy-name') onCopy(frames.at(-1)!.facts!.name);
    else onCopy(foldedLine(rootFirst, path.at(-1)!.total));
    const what = {
      copy: `stack of ${countOf(frames.length, 'frame')}`,
      'copy-name': 'name',
      'copy-folded': 'folded line',
    };
    setNotice(`Copied: ${what[kind]}.`);
  }

  function openMenu(): void {
    const { props, view } = hands.current;
    const { selectedNode } = props;
    const detail = view?.detailOf(selectedNode) ?? null;
    const point = selectedNode === null ? null : (view?.pointOf(selectedNode) ?? null);
    if (detail?.frame && point !== null) props.onContextMenu?.(detail.frame, point);
  }

  function walk(step: Extract<FlameKey, { kind: 'walk' }>['step']): void {
    const { view, setCurrent } = hands.current;
    const detail = view?.walk(step) ?? null;
    if (detail === null) return;
    if (detail.frame === null) setCurrent(detail);
    else select(detail);
    view?.revealDepth(detail.depth);
  }

  function back(): boolean {
    settle();
    const { props } = hands.current;
    if (props.zoom.back()) return true;
    if (props.selectedNode === null) return false;
    props.onSelect(null);
    return true;
  }

  function press(key: FlameKey): boolean {
    const { props, view, reportProblem } = hands.current;
    switch (key.kind) {
      case 'walk':
        walk(key.step);
        return true;
      case 'zoom':
        if (view?.fillerDetail) open(view.fillerDetail, 0.5);
        else if (props.selectedNode !== null) zoomTo(props.selectedNode, null);
        return true;
      case 'scale':
        view?.zoomBy(key.factor);
        return true;
      case 'pan':
        view?.panBy(key.share);
        return true;
      case 'back':
        return back();
      case 'home':
        settle();
        props.zoom.to(props.zoom.home);
        view?.revealDepth(0);
        return true;
      case 'match':
        void goToMatch(key.step).catch(reportProblem);
        return true;
      case 'copy':
      case 'copy-name':
      case 'copy-folded':
        void copy(key.kind).catch(reportProblem);
        return true;
      case 'search':
        hands.current.search();
        return true;
      case 'invert':
        props.onOrientationChange?.(props.orientation === 'flame' ? 'icicle' : 'flame');
        return true;
      case 'menu':
        openMenu();
        return true;
    }
  }

  return { select, show, zoomTo, open, press };
}
