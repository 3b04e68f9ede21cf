import { useMemo, useState, type ReactElement } from 'react';
import type { Theme } from '#core/colour/theme.ts';
import type { DeltaWidth } from '#core/compare/delta-tree.ts';
import { judgedRows } from '#core/compare/judged-rows.ts';
import type { Metric } from '#core/compare/statistics/judge.ts';
import type { SectionOf } from '#core/contract/report/report.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { zoomedRow } from '../../core/report/sections/chosen-places.ts';
import type { PreparedComparison } from '../../core/report/prepare.ts';
import { carryRange, compareTreeRequests, compareTrees } from '../analysis/comparison/slices.ts';
import { copyText } from '../ui/copy-text.ts';
import { deltaStyle } from '../ui/flame/chart/delta-style.ts';
import { FlameGraph } from '../ui/flame/graph.tsx';
import type { FlameGraphProps } from '../ui/flame/graph-props.ts';
import type { DeltaStyle } from '../ui/flame/graph.types.ts';
import { DetailLines } from '../ui/flame/tooltip/detail-lines.tsx';
import type { FrameDetail } from '../ui/flame/tooltip/frame-detail.ts';
import { GraphLink } from '../ui/flame/graph-link.ts';
import { useZoom, type Zoom } from '../ui/flame/use-zoom.ts';
import type { WeightRange } from '../../core/analyze/graph/weight-range.ts';
import { frameBudget } from '../ui/flame/slice-requests.ts';
import { format } from '../ui/format.ts';
import { chosenColumns } from '../ui/table/grid/column-widths.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { deltaColumns, OWN_DELTA_COLUMNS, type DeltaColumnsOf } from '../ui/table/delta-columns.ts';
import { OWN_LAYOUT, type Column, type SortOrder } from '../ui/table/table.types.ts';
import { functionTexts } from './function-texts.ts';
import { graphHeight, tableHeight } from './heights.ts';
import { inSeparateTasks } from './yield-to-page.ts';
import { SearchLine } from './search-line.tsx';
import { goToNote } from './pins.ts';
import { placeOf, type Subject } from './subject.ts';

interface PartProps {
  readonly compared: PreparedComparison;
  readonly subject: Subject;
}

/** Both sides with linked zoom, scrolling and pointer, or one graph of the deltas. */
export function LiveDeltaGraph(props: PartProps & { section: SectionOf<'delta-graph'>; theme: Theme }): ReactElement {
  const { section, compared, subject, theme } = props;
  const { orientation = 'flame', zoom = [], width = 'union' } = section;
  const { text, reason, comparison, tree, paths } = compared;
  const look = useMemo(() => deltaStyle(theme, text, reason, null), [theme, text, reason]);
  const trees = useMemo(() => compareTrees(comparison, tree, paths), [comparison, tree, paths]);
  const weights = useMemo(() => ({ value: text.value, share: format.share }), [text]);
  const axis = useMemo(() => ({ scale: text.scale, from: 'root' as const }), [text]);
  const maxDepth = useMemo(() => tree.depth.reduce((deepest, depth) => Math.max(deepest, depth), 0), [tree]);
  const [link] = useState(() => new GraphLink());
  const { selected } = subject;
  const shared: Omit<FlameGraphProps, 'source' | 'zoom' | 'label'> = {
    orientation,
    matches: subject.matches,
    deltaStyle: look,
    format: weights,
    axis,
    theme,
    link,
    pins: subject.pins.onFrames,
    onPin: goToNote,
    selectedNode: selected?.node ?? null,
    selectedFunction: selected?.func ?? null,
    onSelect: (frame) => subject.select(placeOf(frame)),
    onHover: (frame) => link.pointAt(placeOf(frame)),
    onCopy: (copied) => void copyText(copied),
    tooltip: linesOf(look),
  };
  const { formula } = comparison.normalised;
  const root = zoomedRow(tree, comparison.matched.table, zoom).root as CallNodeIndex;
  const graphs = { trees, root, width, maxDepth, shared, formula };
  return (
    <>
      <SearchLine subject={subject}>{subject.matches === null ? null : foundText(subject.matches)}</SearchLine>
      {section.look === 'sides' ? <LinkedSides {...graphs} /> : <OneGraph {...graphs} />}
    </>
  );
}

/** Returns the tooltip's lines below the name. */
const linesOf =
  (look: DeltaStyle) =>
  ({ delta }: FrameDetail): ReactElement | null =>
    delta === null ? null : <DetailLines lines={look.lines(delta)} />;

const foundText = (matches: Uint8Array): string =>
  `${format.number(matches.reduce((sum, one) => sum + one, 0))} functions`;

type Trees = ReturnType<typeof compareTrees>;

interface GraphsProps {
  readonly trees: Trees;
  /** Initially zoomed to it. */
  readonly root: CallNodeIndex;
  /** Of the graph of deltas. */
  readonly width: DeltaWidth;
  readonly maxDepth: number;
  readonly formula: string;
  readonly shared: Omit<FlameGraphProps, 'source' | 'zoom' | 'label'>;
}

function sourceOf(trees: Trees, width: DeltaWidth, isShared: boolean, maxDepth: number): FlameGraphProps['source'] {
  const { before, after } = trees.tree;
  const totalWeight = trees.width(width).tree.total[0]!;
  const requests = compareTreeRequests(trees, { kind: 'union', width, shared: isShared });
  return inSeparateTasks({
    direction: 'top-down',
    totalWeight,
    scale: isShared ? Math.max(before.total[0]!, after.total[0]!) : totalWeight,
    maxDepth,
    ...requests,
    requestSlice: (request) => requests.requestSlice({ ...request, maxFrames: frameBudget(request.maxFrames) }),
  });
}

function LinkedSides({ trees, root, maxDepth, shared, formula }: GraphsProps): ReactElement {
  const sources = useMemo(
    () => ({
      before: sourceOf(trees, 'before', true, maxDepth),
      after: sourceOf(trees, 'after', true, maxDepth),
    }),
    [trees, maxDepth],
  );
  const [node, setNode] = useState(root);
  const zooms = useLinkedZoom(trees, sources.before, node, setNode);
  return (
    <div className="report-pair" style={{ height: 2 * graphHeight(Math.min(maxDepth, 12)) }}>
      {SIDES.map((side) => (
        <FlameGraph
          key={side}
          {...shared}
          source={sources[side]}
          zoom={zooms[side]}
          side={side}
          label={`${side}, ${formula}`}
          title={<span className={`side-badge ${side}`}>{side}</span>}
        />
      ))}
    </div>
  );
}

interface SideRange extends WeightRange {
  readonly side: Side;
}

/** Links the zooms: when one side is moved, the other follows to the same frames. */
function useLinkedZoom(
  trees: Trees,
  source: FlameGraphProps['source'],
  node: CallNodeIndex,
  setNode: (node: CallNodeIndex) => void,
): Readonly<Record<Side, Zoom>> {
  const zoom = useZoom<SideRange>(source, node, setNode);
  const { range, toRange } = zoom;
  return useMemo(() => {
    const other: Side = range?.side === 'before' ? 'after' : 'before';
    const carried = range === null ? null : carryRange(trees, { root: node, range, from: range.side, to: other });
    const side = (name: Side): Zoom => ({
      ...zoom,
      range: range?.side === name ? range : carried,
      toRange: (next, byGesture) => toRange(next === null ? null : { ...next, side: name }, byGesture),
    });
    return { before: side('before'), after: side('after') };
  }, [zoom, range, toRange, trees, node]);
}

function OneGraph({ trees, root, width, maxDepth, shared, formula }: GraphsProps): ReactElement {
  const source = useMemo(() => sourceOf(trees, width, false, maxDepth), [trees, width, maxDepth]);
  const [node, setNode] = useState(root);
  const zoom = useZoom(source, node, setNode);
  return (
    <div className="graph-box" style={{ height: graphHeight(maxDepth) }}>
      <FlameGraph {...shared} source={source} zoom={zoom} label={`deltas, ${formula}`} />
    </div>
  );
}

function useColumns({ compared, subject }: PartProps, measure: Metric): Column[] {
  const { comparison, text, reason } = compared;
  return useMemo(() => {
    const of: DeltaColumnsOf = {
      rows: { self: judgedRows(comparison.self), total: judgedRows(comparison.total) },
      measure,
      texts: { ...functionTexts(comparison.matched.table), pins: subject.pins.ofFunction },
      values: text,
      reason,
      growthFirst: comparison.growthFirst,
      narrow: false,
      matches: subject.matches,
      ranks: new Map(),
    };
    return deltaColumns(of);
  }, [comparison, text, reason, measure, subject.matches, subject.pins]);
}

const BEFORE_AFTER = ['function', 'before', 'after', 'delta', 'other-before', 'other-after', 'other-delta', 'module'];

/** Total and self of both sides, side by side. */
export function LiveBeforeAfter(props: PartProps): ReactElement {
  const all = useColumns(props, 'total');
  const columns = useMemo(() => chosenColumns(all, BEFORE_AFTER, OWN_LAYOUT), [all]);
  return <Functions {...props} columns={columns} label="Total and self weight before and after" sort="before" />;
}

/** Fits `+1,234.5 %`. */
const RELATIVE_PX = 96;
/** Fit on the page; the section before has both sides’ totals. */
const DELTA_COLUMNS = OWN_DELTA_COLUMNS.filter((column) => column !== 'other-verdict');

export function LiveDeltas(props: PartProps & { readonly section: SectionOf<'deltas'> }): ReactElement {
  const all = useColumns(props, props.section.measure);
  const columns = useMemo(
    () =>
      chosenColumns(all, DELTA_COLUMNS, OWN_LAYOUT).map((column) =>
        column.id === 'relative' ? { ...column, width: RELATIVE_PX } : column,
      ),
    [all],
  );
  return <Functions {...props} columns={columns} label="Changes by function" sort="verdict" />;
}

interface FunctionsProps extends PartProps {
  readonly columns: readonly Column[];
  readonly label: string;
  readonly sort: string;
}

function Functions({ compared, subject, columns, label, sort }: FunctionsProps): ReactElement {
  const rows = compared.comparison.self.length;
  const [initial] = useState<SortOrder>({ column: sort, direction: 'descending' });
  return (
    <div className="table-box" style={{ height: tableHeight(rows) }}>
      <DataTable
        label={label}
        rowNoun="functions"
        rowCount={rows}
        columns={columns}
        initialSort={initial}
        selectedRow={subject.selected?.func ?? null}
        onSelectRow={(row) => subject.select({ func: row as FunctionIndex, node: null })}
      />
    </div>
  );
}
