import { useCallback, useEffect, useMemo, useState, type ReactElement } from 'react';
import { findFunctions } from '#core/analyze/function-ref.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { FlameGraph } from '../../ui/flame/graph.tsx';
import { functionRefOf } from '../../state/function-text.ts';
import type { GraphPlaces } from '../../state/profile/view-state.ts';
import type { GraphPlace, GraphRef } from '../../analysis/profile/graph-protocol.ts';
import type { FunctionNames } from '../../analysis/profile/protocol.ts';
import { EmptyGraph } from './empty-graph.tsx';
import { useBesideGraph } from './shared-graph-props.ts';
import type { GraphPaneProps } from './graph-pane.types.ts';
import { useGraphStart, type GraphStart } from '../../state/profile/graph-requests.ts';
import { useFunctions, useView, useViewState } from '../../state/profile/context.ts';
import { shortName } from '../../state/transforms/list.ts';
import './graphs.css';
import { Button } from '../../ui/buttons.tsx';

/** The function itself, the only child of each half's root. */
const CENTRE = 1 as CallNodeIndex;

/** A function with its callers above and its callees below. */
export function SandwichGraph(props: GraphPaneProps): ReactElement {
  const view = useView();
  const { profile } = view;
  const functions = useFunctions();
  const picked = useViewState((state) => state.picked);
  /** Selected in this graph, which then keeps its centre. */
  const [own, setOwn] = useState<FunctionIndex | null>(null);
  const func = picked?.func ?? null;
  const [chosen, setChosen] = useState(() => {
    const first = func ?? keptCentre(functions, view.store.get().graphPlaces);
    return first === null ? null : { func: first, of: functions };
  });
  if (func !== null && func !== own && func !== chosen?.func) {
    setChosen({ func, of: functions });
    setOwn(null);
  }
  // Indices of functions that transforms created change with the transforms.
  const holds = chosen !== null && (chosen.of === functions || chosen.func < profile.functions.length);
  const centre = holds ? chosen.func : null;
  useEffect(() => {
    if (centre === null || sandwichOf(view.store.get().graphPlaces, functions, centre) !== null) return;
    view.lookAtGraphs({ sandwich: { centre: functionRefOf(functions, centre), callers: null, callees: null } });
  }, [view, functions, centre]);
  if (centre === null) {
    return (
      <EmptyGraph>
        <p>Select a function in the table to see its callers and callees.</p>
        <p className="dim">Its callers are above it, its callees below, each as wide as its share of the function.</p>
      </EmptyGraph>
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
        <Button className="sandwich-centre" onClick={() => setChosen({ func, of: functions })}>
          Centre on {shortName(functions, func, 60)}
        </Button>
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

/** Returns the stored state of a function's sandwich; null if there is none, or for another function. */
function sandwichOf({ sandwich }: GraphPlaces, functions: FunctionNames, func: FunctionIndex): GraphPlaces['sandwich'] {
  if (sandwich === null) return null;
  const { name, module, file, line } = functionRefOf(functions, func);
  const { centre } = sandwich;
  const isSame = centre.name === name && centre.module === module && centre.file === file && centre.line === line;
  return isSame ? sandwich : null;
}

/** Returns the function at the centre in the previous session. */
function keptCentre(functions: FunctionNames, { sandwich }: GraphPlaces): FunctionIndex | null {
  if (sandwich === null) return null;
  const live = new Uint8Array(functions.length).fill(1);
  const [found] = findFunctions({ strings: functions.strings, functions }, live, [sandwich.centre]);
  return (found![0] ?? null) as FunctionIndex | null;
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
  const functions = useFunctions();
  const placeIn = useCallback(
    (places: GraphPlaces) => sandwichOf(places, functions, func)?.[kind] ?? null,
    [functions, func, kind],
  );
  const shown = useGraphStart(view, analysis, graph, placeIn);
  if (!shown?.start) return <p className="graph-note pending">{props.title}…</p>;
  return (
    <HalfGraph
      key={view.lineage().id}
      {...props}
      {...shown.start}
      graph={graph}
      placeIn={placeIn}
      analysis={shown.analysis}
    />
  );
}

interface HalfGraphProps extends HalfProps, GraphStart {
  readonly graph: GraphRef;
  readonly placeIn: (places: GraphPlaces) => GraphPlace | null;
}

function HalfGraph({
  analysis,
  theme,
  kind,
  title,
  graph,
  placeIn,
  facts,
  zoomed,
  onOwn,
  onMenu,
}: HalfGraphProps): ReactElement {
  const view = useView();
  const home = (facts.maxDepth > 0 ? CENTRE : 0) as CallNodeIndex;
  const first = zoomed < home ? home : zoomed;
  const keep = (place: GraphPlace | null): void => {
    const { sandwich } = view.store.get().graphPlaces;
    if (sandwich !== null) view.lookAtGraphs({ sandwich: { ...sandwich, [kind]: place } });
  };
  const { props, counts, describe, select } = useBesideGraph(analysis, graph, facts, { first, home, placeIn, keep });
  const { onOrientationChange: _stays, ...fixed } = props;
  return (
    <FlameGraph
      {...fixed}
      orientation={kind === 'callers' ? 'flame' : 'icicle'}
      theme={theme}
      title={title}
      label={`${props.label}, ${title}`}
      {...(counts ? {} : { describe })}
      onSelect={(frame) => {
        select(frame);
        if (frame !== null && frame.func !== null) {
          onOwn(frame.func);
          view.pick({ func: frame.func, node: null });
        }
      }}
      onContextMenu={(frame, point) => onMenu({ frame, point, from: 'table' })}
    />
  );
}
