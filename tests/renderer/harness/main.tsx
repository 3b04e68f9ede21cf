import { absoluteTotal } from '#core/analyze/reading/absolute-total.ts';
import { useZoom } from '../../../renderer/ui/flame/use-zoom.ts';
import { useMemo, useState, type JSX } from 'react';
import { createRoot } from 'react-dom/client';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { functionNames, matchNames } from '#core/analyze/search.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { weightScale } from '#core/units/axis-scale.ts';
import { formatShare, formatValue } from '#core/units/format.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { FlameGraph } from '../../../renderer/ui/flame/graph.tsx';
import type { ColourMode } from '#core/colour/frame-colour.ts';
import type { AxisLook, Orientation, Theme, WeightFormat } from '../../../renderer/ui/flame/graph.types.ts';
import { treeSource } from '../../../core/analyze/graph/tree-source.ts';
import { DeltaHarness, DeltaRowsHarness, loadComparison } from './delta-harness.tsx';
import { ExperimentHarness } from './experiment-harness.tsx';
import { STATES, type StateQuery } from './states.ts';
import { HarnessTable, NodesHarness, RowsHarness, TreeHarness, viewRequests } from './table-harness.tsx';
import { TerminalHarness } from './terminal-harness.tsx';
import './harness.css';

/**
 * Flame graph and table of one file, without shell, worker or engine:
 * `?file=…&theme=light&orientation=icicle&search=…`, with `folded=…` instead of a file. Without parameters, the list of
 * all states.
 */
const query = new URLSearchParams(location.search);
const theme: Theme = query.get('theme') === 'light' ? 'light' : 'dark';
document.documentElement.dataset['theme'] = theme;

interface Loaded {
  readonly profile: Profile;
  readonly view: StackView;
  readonly tree: CallTree;
}

async function load(file: string, folded: string | null): Promise<Loaded> {
  const bytes =
    folded === null ? new Uint8Array(await (await fetch(file)).arrayBuffer()) : new TextEncoder().encode(folded);
  const profile = await importProfile({
    fileName: file,
    size: bytes.length,
    chunks: async function* () {
      yield bytes;
    },
  });
  const selection = { valueType: profile.metadata.defaultValueType, threads: null, timeRange: null };
  const view = buildStackView(profile, selection);
  return { profile, view, tree: buildCallTree(view, 'top-down') };
}

const unitOf = (profile: Profile): string =>
  query.get('unit') ?? profile.valueTypes[profile.metadata.defaultValueType]!.unit;

function formatOf(profile: Profile): WeightFormat {
  const unit = unitOf(profile);
  return {
    value: (weight) => formatValue(weight, unit),
    share: (part, whole) => formatShare(part, whole),
  };
}

function Harness({ profile, view, tree }: Loaded): JSX.Element {
  const source = useMemo(() => treeSource(profile, tree), [profile, tree]);
  const format = useMemo(() => formatOf(profile), [profile]);
  const axis = useMemo<AxisLook>(() => ({ scale: weightScale('en', unitOf(profile)), from: 'root' }), [profile]);
  const stats = useMemo(() => functionStats(view), [view]);
  const requests = useMemo(() => viewRequests(view), [view]);
  const texts = useMemo(() => {
    const { strings, functions } = profile;
    return {
      name: (func: FunctionIndex) => strings[functions.name[func]!]!,
      module: (func: FunctionIndex) => strings[functions.module[func]!]!,
      moduleId: (func: FunctionIndex) => functions.module[func]!,
      source: (func: FunctionIndex) => strings[functions.file[func]!]!,
      kind: () => '',
    };
  }, [profile]);
  const [rootNode, setRootNode] = useState(Number(query.get('root') ?? 0) as CallNodeIndex);
  const zoom = useZoom(source, rootNode, setRootNode);
  const [selectedNode, setSelectedNode] = useState<CallNodeIndex | null>(null);
  const [selected, setSelected] = useState<FunctionIndex | null>(null);
  const [orientation, setOrientation] = useState<Orientation>(
    query.get('orientation') === 'icicle' ? 'icicle' : 'flame',
  );
  const pattern = query.get('search');
  const matches = useMemo(
    () => (pattern === null ? null : matchNames(functionNames(profile), pattern)),
    [profile, pattern],
  );
  return (
    <main>
      <FlameGraph
        source={source}
        orientation={orientation}
        zoom={zoom}
        selectedNode={selectedNode}
        selectedFunction={selected}
        matches={matches}
        format={format}
        axis={axis}
        theme={theme}
        colourMode={(query.get('colour') ?? 'package') as ColourMode}
        label="samples"
        onSelect={(frame) => {
          setSelectedNode(frame?.node ?? null);
          setSelected(frame?.func ?? null);
        }}
        onOrientationChange={setOrientation}
        onCopy={(text) => {
          document.documentElement.dataset['copied'] = text;
        }}
        onContextMenu={(frame, point) => {
          document.documentElement.dataset['menu'] = `${frame.node} ${point.x} ${point.y}`;
        }}
      />
      <HarnessTable
        stats={stats}
        texts={texts}
        totalWeight={view.total}
        absoluteWeight={absoluteTotal(view)}
        withoutStack={view.withoutStack}
        unit={query.get('unit') ?? profile.valueTypes[profile.metadata.defaultValueType]!.unit}
        requests={requests}
        selected={selected}
        onSelect={setSelected}
        onActivate={(func) => {
          const node = tree.func.indexOf(func);
          if (node >= 0) setRootNode(node as CallNodeIndex);
        }}
      />
    </main>
  );
}

const address = (query: StateQuery, theme: string): string => `?${new URLSearchParams({ ...query, theme }).toString()}`;

/** The page without parameters: all states, each in both themes. */
const StateList = (): JSX.Element => (
  <ul className="states">
    {Object.entries(STATES).map(([name, query]) => (
      <li key={name}>
        {name}: <a href={address(query, 'dark')}>dark</a> <a href={address(query, 'light')}>light</a>
      </li>
    ))}
  </ul>
);

/** `?table=tree` shows the call tree as rows, without the graph. */
async function start(): Promise<JSX.Element> {
  if (query.size === 0) return <StateList />;
  const rows = query.get('rows');
  if (rows !== null) return <RowsHarness rows={Number(rows)} />;
  if (query.has('nodes')) return <NodesHarness />;
  if (query.has('terminal')) return <TerminalHarness text={query.get('terminal')!} />;
  if (query.has('experiment')) return <ExperimentHarness name={query.get('experiment')!} />;
  if (query.has('deltas')) return <DeltaRowsHarness rows={Number(query.get('deltas'))} />;
  if (query.has('shipped')) {
    // Its stylesheet would apply to all pages.
    const { ShippedChart } = await import('./shipped-chart.tsx');
    return <ShippedChart frames={Number(query.get('shipped'))} />;
  }
  if (query.has('before')) {
    return <DeltaHarness {...await loadComparison(query.get('before')!, query.get('after')!)} />;
  }
  const loaded = await load(query.get('file') ?? 'made-up.folded', query.get('folded'));
  return query.get('table') === 'tree' ? <TreeHarness {...loaded} /> : <Harness {...loaded} />;
}

const root = createRoot(document.querySelector('#root')!);
start().then(
  (page) => root.render(page),
  (error: unknown) => root.render(<p role="alert">{String(error)}</p>),
);
