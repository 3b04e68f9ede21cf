import { useCallback, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { FlameGraph } from '../flame/flame-graph.tsx';
import type { GraphFacts, GraphRef } from '../worker/graph-protocol.ts';
import { useGraphLook } from './graph-look.ts';
import type { GraphPaneProps } from './graph-pane.tsx';
import { graphSource, sampleLines, useGraphFacts } from './graph-requests.ts';
import { useFunctions, useView, useViewState } from './profile-context.ts';
import { shortName } from './transform-text.ts';
import './graphs.css';

/** The function itself: the only child of either half's root. */
const CENTRE = 1 as CallNodeIndex;

/** A function between what calls it, above, and what it calls, below. */
export function SandwichGraph(props: GraphPaneProps): ReactElement {
  const { profile } = useView();
  const functions = useFunctions();
  const picked = useViewState((state) => state.picked);
  /** Picked within the graph itself, which stays where it is. */
  const [own, setOwn] = useState<FunctionIndex | null>(null);
  const func = picked?.func ?? null;
  const [chosen, setChosen] = useState(func === null ? null : { func, of: functions });
  if (func !== null && func !== own && func !== chosen?.func) {
    setChosen({ func, of: functions });
    setOwn(null);
  }
  // Functions that transforms made are others, or none, after the next change of transforms.
  const holds = chosen !== null && (chosen.of === functions || chosen.func < profile.functions.length);
  const centre = holds ? chosen.func : null;
  if (centre === null) {
    return (
      <div className="graph-empty">
        <p>Pick a function in the table to see what calls it and what it calls.</p>
        <p className="dim">Its callers stand above it, its callees below, each as wide as its share of the function.</p>
      </div>
    );
  }
  const name = shortName(functions, centre, 60);
  const isElsewhere = func !== null && func !== centre;
  return (
    <div className="sandwich">
      <Half
        key={`callers ${centre}`}
        {...props}
        kind="callers"
        func={centre}
        title={`Callers of ${name}`}
        onOwn={setOwn}
      />
      {isElsewhere && (
        <button
          type="button"
          className="button sandwich-centre"
          onClick={() => {
            setChosen({ func, of: functions });
          }}
        >
          Centre on {shortName(functions, func, 60)}
        </button>
      )}
      <Half
        key={`callees ${centre}`}
        {...props}
        kind="callees"
        func={centre}
        title={`Callees of ${name}`}
        onOwn={setOwn}
      />
    </div>
  );
}

interface HalfProps extends GraphPaneProps {
  readonly kind: 'callers' | 'callees';
  readonly func: FunctionIndex;
  readonly title: string;
  readonly onOwn: (func: FunctionIndex) => void;
}

function Half(props: HalfProps): ReactElement {
  const { analysis, kind, func } = props;
  const view = useView();
  const graph = useMemo<GraphRef>(() => ({ kind, func }), [kind, func]);
  const facts = useGraphFacts(view, analysis, graph);
  if (facts === undefined || facts === null) return <p className="graph-note pending">{props.title}…</p>;
  return <HalfGraph key={analysis.revision} {...props} graph={graph} facts={facts} />;
}

function HalfGraph({
  analysis,
  theme,
  kind,
  title,
  graph,
  facts,
  onOwn,
  onMenu,
  onSearch,
}: HalfProps & { readonly graph: GraphRef; readonly facts: GraphFacts }): ReactElement {
  const view = useView();
  const { look, counts } = useGraphLook();
  const home = (facts.maxDepth > 0 ? CENTRE : 0) as CallNodeIndex;
  const source = useMemo(() => graphSource(view, analysis, graph, facts), [view, analysis, graph, facts]);
  const [rootNode, setRootNode] = useState(home);
  const [selected, setSelected] = useState<CallNodeIndex | null>(null);
  const weightText = look.format.value;
  const describe = useCallback(
    (node: CallNodeIndex) => sampleLines(view, analysis, graph, node, weightText),
    [view, analysis, graph, weightText],
  );
  const { onOrientationChange: _stays, ...fixed } = look;
  return (
    <FlameGraph
      {...fixed}
      source={source}
      orientation={kind === 'callers' ? 'flame' : 'icicle'}
      rootNode={rootNode}
      homeNode={home}
      selectedNode={selected}
      theme={theme}
      title={title}
      label={`${look.label}, ${title}`}
      {...(counts ? {} : { describe })}
      onZoom={(node) => {
        setRootNode(node < home ? home : node);
      }}
      onSelect={(frame) => {
        setSelected(frame?.node ?? null);
        if (frame !== null && frame.func !== null) {
          onOwn(frame.func);
          view.pick({ func: frame.func, node: null });
        }
      }}
      onContextMenu={(frame, point) => {
        onMenu({ frame, point, from: 'table' });
      }}
      onSearch={onSearch}
    />
  );
}
