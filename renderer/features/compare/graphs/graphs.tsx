import { useEffect, useMemo, useState, type ReactElement } from 'react';
import type { DeltaWidth } from '#core/compare/delta-tree.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { FlameGraph } from '../../../ui/flame/graph.tsx';
import type { FlameGraphProps } from '../../../ui/flame/graph-props.ts';
import type { AxisLook, Theme } from '../../../ui/flame/graph.types.ts';
import type { FrameDetail } from '../../../ui/flame/tooltip/frame-detail.ts';
import { focusKeeper, KeptFocus } from '../../../ui/flame/input/kept-focus.ts';
import { GraphLink } from '../../../ui/flame/graph-link.ts';
import { useKeymap } from '../../../ui/keys/use-keymap.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { format } from '../../../ui/format.ts';
import { Segments } from '../../../ui/fields/segments.tsx';
import { VERDICTS } from '#core/compare/frame-delta.ts';
import type { Compared, PathDetail } from '../../../analysis/comparison/protocol.ts';
import { CompareFrameMenu, type FrameMenuRequest } from './frame-menu.tsx';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { useZoom } from '../../../ui/flame/use-zoom.ts';
import { useNotes } from '../../../state/notes/context.ts';
import { compareGraphSource } from '../../../state/compare/source.ts';
import type { CompareTab, ComparePicked } from '../../../state/compare/compare.types.ts';
import { useOpenNew } from '../../panes/open-new.ts';
import { DeltaFacts } from '../table/facts.tsx';
import { DeltaLegend } from './legend.tsx';
import { deltaStyle, type LitFrames } from '../../../ui/flame/chart/delta-style.ts';
import { missingIn } from '../../../state/compare/missing-frame.ts';
import { useKeptRange } from '../../../state/kept-ranges.ts';
import { CompareSides, SideChoices, SideHead } from '../sides/head.tsx';
import { useLinkedZoom } from './use-linked-zoom.ts';
import { useValueText, verdictReason } from '../../../state/comparison-texts.ts';
import './graphs.css';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { useMatchFlags } from '../../../state/analysis/use-match-flags.ts';
import type { Side } from '#core/contract/side.ts';

interface CompareGraphsProps {
  readonly compared: Compared;
  readonly theme: Theme;
}

/** Both sides next to each other, or one graph of their differences, with the legend of their colours. */
export function CompareGraphs(props: CompareGraphsProps): ReactElement {
  const { compared, theme } = props;
  const graph = useCompareState((state) => state.look.graph);
  const [lit, setLit] = useState<LitFrames | null>(null);
  const [menu, setMenu] = useState<FrameMenuRequest | null>(null);
  const [keeper] = useState(focusKeeper);
  const shared = useSharedProps(props, lit, setMenu);
  return (
    <div className="compare-graphs fill">
      <KeptFocus value={keeper}>
        {graph === 'delta' ? (
          <>
            <CompareSides theme={theme} />
            <DeltaGraph compared={compared} shared={shared} />
          </>
        ) : (
          <LinkedPair compared={compared} shared={shared} />
        )}
      </KeptFocus>
      <DeltaLegend
        theme={theme}
        reason={verdictReason(compared)}
        untested={compared.paths.untested}
        lit={lit}
        onLight={setLit}
      />
      {menu === null ? null : <CompareFrameMenu compared={compared} request={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}

type SharedProps = Omit<FlameGraphProps, 'source' | 'label' | 'zoom'> & { readonly deltaOf: PathDetail | null };
interface GraphsProps {
  readonly compared: Compared;
  readonly shared: SharedProps;
}

/** Returns the properties that all graphs of the comparison share; their nodes are those of one tree. */
function useSharedProps(
  { compared, theme }: CompareGraphsProps,
  lit: LitFrames | null,
  onMenu: (request: FrameMenuRequest) => void,
): SharedProps {
  const tab = useCompare();
  const text = useValueText(compared);
  const orientation = useCompareState((state) => state.look.orientation);
  const rootNode = useCompareState((state) => state.zoomNode);
  const picked = useCompareState((state) => state.picked);
  const detail = usePathDetail(tab, compared.revision, rootNode);
  const notes = useNotes();
  const link = usePointing(tab);
  const openNew = useOpenNew(tab);
  const reason = verdictReason(compared);
  const look = useMemo(() => deltaStyle(theme, text, reason, lit), [theme, text, reason, lit]);
  const weights = useMemo(() => ({ value: text.value, share: format.share }), [text]);
  const { kind } = compared.normalised;
  const axis = useMemo<AxisLook>(
    () => ({ scale: text.scale, from: 'root', ...(kind === 'share' ? {} : { share: format.share }) }),
    [text, kind],
  );
  return {
    keymap: useKeymap(),
    matches: useMatchFlags(useCompareState((state) => state.search)),
    deltaStyle: look,
    deltaOf: detail,
    changed: ({ selfBefore, selfAfter }) => {
      const label = text.delta(selfAfter - selfBefore);
      const values = `self ${text.value(selfBefore)} before, ${text.value(selfAfter)} after, ${label}${text.per}`;
      return { label, text: `changed the most in one call path: ${values}` };
    },
    format: weights,
    axis,
    theme,
    orientation,
    selectedNode: picked?.node ?? null,
    selectedFunction: picked?.func ?? null,
    link,
    onSelect: (frame) => {
      tab.pick(frame === null || frame.func === null ? null : { func: frame.func, node: frame.node });
    },
    onHover: (frame) => {
      const next = frame === null || frame.func === null ? null : { func: frame.func, node: frame.node };
      // Called with each movement of the pointer.
      if (next?.node !== tab.store.get().hovered?.node) tab.hover(next);
    },
    onOpenNew: ({ func, node }) => {
      if (func !== null) openNew?.({ func, node });
    },
    onContextMenu: (frame, point) => onMenu({ frame, point }),
    onOrientationChange: (next) => tab.setLook({ orientation: next }),
    onCopy: (copied) => void copyText(copied),
    pins: notes.pins.all,
    onPin: notes.open,
    tooltip: (of) => <FrameFacts compared={compared} text={text} frame={of} detail={detail} />,
  };
}

/** Outlines the frame under the pointer of a graph or table in all graphs, without rendering them. */
function usePointing(tab: CompareTab): GraphLink {
  const [link] = useState(() => new GraphLink());
  useEffect(() => {
    let shown = tab.store.get().hovered;
    return tab.store.subscribe(() => {
      const { hovered } = tab.store.get();
      if (hovered !== shown) link.pointAt(hovered);
      shown = hovered;
    });
  }, [tab, link]);
  return link;
}

function LinkedPair({ compared, shared }: GraphsProps): ReactElement {
  const tab = useCompare();
  const sources = useMemo(
    () => ({
      before: compareGraphSource(tab, compared, { kind: 'union', width: 'before', shared: true }),
      after: compareGraphSource(tab, compared, { kind: 'union', width: 'after', shared: true }),
    }),
    [tab, compared],
  );
  const zooms = useLinkedZoom(tab, compared.revision, sources.before);
  const { deltaOf, ...props } = shared;
  const [isOpen, setOpen] = useState(false);
  const missing = useMemo(() => missingIn(compared.functions, deltaOf), [compared, deltaOf]);
  const side = (name: Side): ReactElement => (
    <FlameGraph
      {...props}
      key={name}
      source={sources[name]}
      label={name}
      side={name}
      head={<SideHead side={name} open={isOpen} onOpen={setOpen} />}
      zoom={zooms[name]}
      missing={missing[name]}
    >
      {isOpen && <SideChoices side={name} theme={props.theme} />}
    </FlameGraph>
  );
  return (
    <div className="compare-pair">
      {side('before')}
      {side('after')}
    </div>
  );
}

const WIDTHS: readonly { readonly value: DeltaWidth; readonly label: string; readonly title: string }[] = [
  { value: 'before', label: 'before', title: 'Widths from before; frames only in after are hidden' },
  { value: 'union', label: 'either', title: 'Widths from the larger side; every frame is shown' },
  { value: 'after', label: 'after', title: 'Widths from after; frames only in before are hidden' },
];

function DeltaGraph({ compared, shared }: GraphsProps): ReactElement {
  const tab = useCompare();
  const width = useCompareState((state) => state.look.width);
  const source = useMemo(
    () => compareGraphSource(tab, compared, { kind: 'union', width, shared: false }),
    [tab, compared, width],
  );
  const zoomNode = useCompareState((state) => state.zoomNode);
  const keeper = useKeptRange(tab.ranges, `delta ${width}`);
  const zoom = useZoom(source, zoomNode, tab.zoom, { keeper });
  const { deltaOf, ...props } = shared;
  const missing = useMemo(() => missingIn(compared.functions, deltaOf), [compared, deltaOf]);
  return (
    <FlameGraph
      {...props}
      source={source}
      zoom={zoom}
      label={`deltas, as wide as ${width === 'union' ? 'either side' : width}`}
      title={<span className="side-badge">delta</span>}
      headEnd={
        <Segments
          label="Frame widths"
          value={width}
          options={WIDTHS}
          onChange={(next) => tab.setLook({ width: next })}
        />
      }
      {...(width === 'union' ? {} : { side: width, missing: missing[width] })}
    />
  );
}

interface FrameFactsProps {
  readonly compared: Compared;
  readonly text: ValueText;
  readonly frame: FrameDetail;
  readonly detail: PathDetail | null;
}

/** The tooltip's content below the name. */
function FrameFacts({ compared, text, frame, detail }: FrameFactsProps): ReactElement | null {
  const { delta } = frame;
  if (delta === null) return null;
  const isFiller = frame.frame === null;
  const known = detail !== null && detail.node === frame.frame?.node ? (detail.tested ?? detail.judgement) : undefined;
  const isRoot = frame.frame !== null && frame.facts === null;
  return (
    <DeltaFacts
      self={isFiller ? null : { before: delta.selfBefore, after: delta.selfAfter }}
      total={delta}
      whole={{ before: compared.before.total, after: compared.after.total }}
      verdict={VERDICTS[delta.verdict]!}
      judgement={isFiller ? null : isRoot ? compared.whole : known}
      reason={verdictReason(compared)}
      text={text}
    />
  );
}

/** Time in ms for which the pointer must stay on a frame before details are requested. */
const STAY_MS = 60;

interface FoundDetails {
  readonly revision: number;
  readonly root: CallNodeIndex;
  readonly detail: PathDetail;
}

/**
 * Returns the details of the path under the pointer, else of the selected one; for a function of the table, its
 * heaviest path. Until they are known, the previous path's are returned, so that moving the pointer renders nothing.
 */
function usePathDetail(tab: CompareTab, revision: number, root: CallNodeIndex): PathDetail | null {
  const [found, setFound] = useState<FoundDetails | null>(null);
  useEffect(() => {
    let asked: ComparePicked | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (place: ComparePicked): Promise<void> => {
      const node = place.node ?? (await tab.ask('heaviest', { revision, func: place.func }));
      const detail = node === null ? null : await tab.ask('describe-path', { revision, node, root });
      if (asked === place) setFound(detail === null ? null : { revision, root, detail });
    };
    const look = (): void => {
      const { hovered, picked } = tab.store.get();
      const place = hovered ?? picked;
      if (place === asked) return;
      asked = place;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (place === null) setFound(null);
        // The drawing's information stays; the graphs' own requests report the error.
        else ask(place).catch(() => undefined);
      }, STAY_MS);
    };
    look();
    const leave = tab.store.subscribe(look);
    return () => {
      asked = null;
      clearTimeout(timer);
      leave();
    };
  }, [tab, revision, root]);
  return found?.revision === revision && found.root === root ? found.detail : null;
}
