import { functionLabel, visibleText } from '#core/analyze/function-label.ts';
import { findFunctions, type NamedFunctions } from '#core/analyze/function-ref.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import { deltaColour } from '#core/compare/delta-colour.ts';
import { frameColours, matchColour, neutralColour } from '#core/colour/frame-colour.ts';
import { flamePicture, type FlamePicture, type PictureFrame } from '#core/export/svg/flame-picture.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { createFormatter } from '#core/units/format.ts';
import { treePins, type NumberedNote } from '../../../../core/report/placed-notes.ts';
import { REPORT_LOCALE, type PreparedCapture } from '../../../../core/report/prepare.ts';
import { PICTURE_SIZE } from '../../../../core/report/report-picture.ts';
import { captureTotal, valueTypeWords } from '../../../../core/report/sections/capture-sections.ts';
import { DELTA_LEGEND } from '../../../../core/report/sections/delta-pictures.ts';
import type { GraphPlace, GraphRef } from '../graph-protocol.ts';
import type { GraphSources, GraphSubject } from '../graph-sources.ts';
import type { PinnedAnalysis } from '../pinned.ts';
import { OWN_TREE, type OwnTree } from '../../methods.ts';
import { RequestFailure } from '../../request-failure.ts';
import type { ShownGraph } from './report-protocol.ts';

/** The analysis whose graphs are on screen. */
export interface ShownSubject {
  readonly sources: GraphSources;
  readonly analysis: GraphSubject;
  /** The baseline of a live view, which colours its call tree; null without one. */
  readonly baseline: Pick<PinnedAnalysis, 'deltaOf' | 'rows'> | null;
}

/** What is written with the picture. */
interface ShownContext {
  /** The capture as its report has it: redacted. */
  readonly capture: PreparedCapture;
  readonly notes: readonly NumberedNote[];
  /** Replaces identities in names. */
  readonly redact: (text: string) => string;
}

interface Shown {
  readonly picture: FlamePicture;
  /** Describes what the picture shows. */
  readonly words: string;
}

const format = createFormatter(REPORT_LOCALE);

/** Draws the graph that is on screen: its kind, order, zoom, colours and matches, in the light theme. */
export function drawShown(
  { sources, analysis, baseline }: ShownSubject,
  shown: ShownGraph,
  context: ShownContext,
): Shown {
  const { graph, search } = shown;
  const { capture, redact } = context;
  const own = graph.kind === 'own' ? baseline : null;
  const part = (ref: OwnTree | GraphRef, root: number, orientation: FlamePicture['orientation']): FlamePicture =>
    drawPart(
      { ...sources.tree(analysis, ref), deltaOf: own?.deltaOf ?? null },
      root,
      orientation,
      unitOf(ref, capture),
      shown,
      context,
    );
  const name = (ref: OwnTree | GraphRef, node: number): string => {
    const { table, tree } = sources.tree(analysis, ref);
    return visibleText(redact(functionLabel(table, tree.func[node]!)).slice(0, 500));
  };
  const place = (ref: GraphRef, at: GraphPlace | null): number => (at === null ? 0 : sources.find(analysis, ref, at));
  const searched = search === '' ? '' : ` Search: ${visibleText(redact(search))}.`;
  const subject = `${visibleText(capture.name)}: ${valueTypeWords(capture)}`;

  if (graph.kind === 'sandwich') {
    const func = functionOf(analysis.view.profile, graph);
    const half = (kind: 'callers' | 'callees') => {
      const ref: GraphRef = { kind, func };
      const { tree } = sources.tree(analysis, ref);
      const root = Math.max(place(ref, graph[kind]), tree.length > 1 ? 1 : 0);
      const zoomed = root > 1 ? ` ${kind === 'callers' ? 'Callers' : 'Callees'} zoomed to ${name(ref, root)}.` : '';
      const weight = tree.total[0]!;
      return { root, zoomed, weight, picture: part(ref, root, kind === 'callers' ? 'flame' : 'icicle') };
    };
    const callers = half('callers');
    const callees = half('callees');
    const whole = `${format.value(callers.weight, capture.valueType.unit)} (${format.share(callers.weight, analysis.view.total)} of all)`;
    const centre = visibleText(redact(functionLabel(analysis.view.profile, func)).slice(0, 500));
    return {
      picture: sandwichPicture(callers.picture, callees.picture, callers.root <= 1 && callees.root <= 1),
      words: `${subject}, callers above and callees below ${centre}: ${whole}.${callers.zoomed}${callees.zoomed}${searched}`,
    };
  }
  const ref = graph.kind === 'own' ? OWN_TREE : ({ kind: graph.kind, widths: graph.widths } as const);
  const { tree } = sources.tree(analysis, ref);
  const root = graph.kind === 'own' ? graph.node : place({ kind: graph.kind, widths: graph.widths }, graph.at);
  const share = format.share(tree.total[root]!, tree.total[0]!);
  const compared = own === null ? '' : ` Compared with the baseline: ${own.rows.formula}. ${DELTA_LEGEND}`;
  const zoomed = root === 0 ? '' : ` Zoomed to ${name(ref, root)}: ${share} of ${wholeWords(graph)}.`;
  return {
    picture: part(ref, root, shown.orientation),
    words: `${subject}, ${captureTotal(capture)}${orderWords(graph, tree)}.${zoomed}${searched}${compared}`,
  };
}

const isWidthTime = (graph: ShownGraph['graph'] | OwnTree | GraphRef): boolean =>
  graph.kind === 'time-order' && graph.widths === 'time';

const wholeWords = (graph: ShownGraph['graph']): string => (isWidthTime(graph) ? 'the time shown' : 'all');

function orderWords(graph: ShownGraph['graph'], { direction, total }: CallTree): string {
  if (graph.kind === 'own') return direction === 'bottom-up' ? ', bottom-up' : '';
  return isWidthTime(graph)
    ? `, in time order over ${format.value(total[0]!, 'nanoseconds')}, each sample as wide as the time until the next one`
    : ', in time order, each sample as wide as its weight';
}

const unitOf = (ref: OwnTree | GraphRef, { valueType }: PreparedCapture): string =>
  isWidthTime(ref) ? 'nanoseconds' : valueType.unit;

function functionOf(
  names: NamedFunctions,
  { centre }: Extract<ShownGraph['graph'], { kind: 'sandwich' }>,
): FunctionIndex {
  if (centre === null) {
    throw new RequestFailure('no-graph', 'no graph is on screen', 'Select a function to see its callers and callees.');
  }
  const every = new Uint8Array(names.functions.length).fill(1);
  const func = findFunctions(names, every, [centre])[0]?.[0];
  if (func === undefined) throw new RequestFailure('no-graph', 'the function at the centre is not in this view');
  return func as FunctionIndex;
}

interface DrawnTree {
  readonly table: NamedFunctions;
  readonly tree: CallTree;
  /** Null: frames have the view's colours. */
  readonly deltaOf: PinnedAnalysis['deltaOf'] | null;
}

function drawPart(
  { table, tree, deltaOf }: DrawnTree,
  root: number,
  orientation: FlamePicture['orientation'],
  unit: string,
  { graph, colours, matches }: ShownGraph,
  { capture, notes, redact }: ShownContext,
): FlamePicture {
  const ownColour = frameColours({ ...colours, theme: 'light' });
  const colour = (node: number, facts: FunctionFacts | null): string => {
    if (deltaOf !== null) return deltaColour(deltaOf(node), 'light');
    if (facts === null) return neutralColour('light');
    const isFound = colours.mode === 'search' && matches?.[tree.func[node]!] === 1;
    return isFound ? matchColour('light') : ownColour(facts);
  };
  // Rows of the call tree do not exist in other graphs.
  const shownNotes = graph.kind === 'own' ? notes : notes.filter(({ note }) => note.anchor.kind === 'function');
  const pins = treePins(shownNotes, capture.id, table, tree);
  const picture = flamePicture({
    names: table,
    tree,
    root,
    ...PICTURE_SIZE,
    orientation,
    unit,
    colour,
    matches,
    pins: pins.atNode,
  });
  const frames = picture.frames.map((frame) => ({ ...frame, name: redact(frame.name), title: redact(frame.title) }));
  return { ...picture, frames };
}

/** Puts callers above callees. `isShared`: both begin with the same frame, which is drawn once. */
function sandwichPicture(callers: FlamePicture, callees: FlamePicture, isShared: boolean): FlamePicture {
  const below = callers.rows - (isShared ? 1 : 0);
  const frames: PictureFrame[] = [
    ...callers.frames.map((frame) => ({ ...frame, depth: callers.rows - 1 - frame.depth })),
    ...callees.frames.slice(isShared ? 1 : 0).map((frame) => ({ ...frame, depth: below + frame.depth })),
  ];
  return {
    ...callers,
    rows: below + callees.rows,
    frames,
    hidden: callers.hidden + callees.hidden,
    orientation: 'sandwich',
  };
}
