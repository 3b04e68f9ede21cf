import { visibleText } from '../../analyze/function-label.ts';
import { functionRef } from '../../analyze/function-ref.ts';
import type { FrameDelta } from '../../analyze/graph/flame-slice.ts';
import { deltaColour } from '../../compare/delta-colour.ts';
import { neutralColour } from '../../colour/frame-colour.ts';
import { rowDelta } from '../../compare/judged-rows.ts';
import { widthTree, type DeltaWidth } from '../../compare/delta-tree.ts';
import type { SectionOf } from '../../contract/report/report.ts';
import { SIDES, type Side } from '../../contract/side.ts';
import { flamePicture, frameTitle, type FlamePicture, type PictureFrame } from '../../export/svg/flame-picture.ts';
import { treePins, type NumberedNote } from '../placed-notes.ts';
import type { PreparedComparison } from '../prepare.ts';
import { zoomedRow } from './chosen-places.ts';

/** What the colours of changes mean. */
export const DELTA_LEGEND =
  'Orange-red grew, blue shrank, paler where it only may have; grey shows no clear change. Stronger colours changed by more.';

type DeltaSection = SectionOf<'delta-graph'>;

interface PictureSize {
  readonly width: number;
  readonly minWidth: number;
  readonly maxFrames: number;
}

const PICTURE: PictureSize = { width: 1000, minWidth: 1, maxFrames: 600 };

/** Draws the deltas as one graph. */
export const deltaPicture = (
  section: DeltaSection,
  compared: PreparedComparison,
  notes: readonly NumberedNote[],
  size: PictureSize = PICTURE,
): FlamePicture => draw(section.width ?? 'union', section, compared, notes, size);

/** Draws one side with the colours of its changes, on the scale of both. */
export const sidePicture = (
  side: Side,
  section: DeltaSection,
  compared: PreparedComparison,
  notes: readonly NumberedNote[],
): FlamePicture => draw(side, section, compared, notes, PICTURE, largerSide(section, compared));

/**
 * Draws both sides next to each other on one scale, below a common root and a frame for each side, so that tools that
 * read flame graphs read both.
 */
export function sidesPicture(
  section: DeltaSection,
  compared: PreparedComparison,
  notes: readonly NumberedNote[],
  size: PictureSize,
): FlamePicture {
  const root = zoomOf(section, compared).root;
  const { before, after } = compared.tree;
  const total = before.total[root]! + after.total[root]!;
  const pxPerWeight = total > 0 ? size.width / total : 0;
  const frame = (name: string, depth: number, start: number, weight: number): PictureFrame => ({
    node: 0,
    depth,
    left: start * pxPerWeight,
    width: weight * pxPerWeight,
    name,
    weight,
    start,
    title: frameTitle(name, weight, unitOf(compared), total > 0 ? (100 * weight) / total : 0),
    fill: neutralColour('light'),
    pins: [],
  });
  const frames = [frame('before and after', 0, 0, total)];
  let [start, rows, hidden] = [0, 2, 0];
  for (const side of SIDES) {
    const weight = compared.tree[side].total[root]!;
    if (weight <= 0) continue;
    const width = weight * pxPerWeight;
    const drawn = draw(side, section, compared, notes, { ...size, width });
    frames.push(frame(side, 1, start, weight));
    for (const one of drawn.frames) {
      // The side's own frame stands for its whole.
      if (root === 0 && one.depth === 0) continue;
      const depth = one.depth + (root === 0 ? 1 : 2);
      rows = Math.max(rows, depth + 1);
      frames.push({ ...one, depth, start: start + one.start, left: start * pxPerWeight + one.left });
    }
    start += weight;
    hidden += drawn.hidden;
  }
  return { width: size.width, rows, frames, hidden, total, orientation: section.orientation ?? 'flame' };
}

/** Describes what the widths of the graph of deltas are. */
export const widthWords = ({ width = 'union' }: DeltaSection): string =>
  width === 'union' ? 'frames as wide as on the larger side' : `frames as wide as ${width}`;

/** Describes the zoom, with a space before it; empty if there is none. */
export function zoomWords(section: DeltaSection, compared: PreparedComparison): string {
  const { root, isWhole } = zoomOf(section, compared);
  const { tree, comparison } = compared;
  const lost = isWhole ? '' : ' The frame that it was zoomed to is not in this comparison.';
  if (root === 0) return lost;
  const name = visibleText(functionRef(comparison.matched.table, tree.func[root]!).name.slice(0, 500));
  const missing = SIDES.filter((side) => tree[side].total[root] === 0);
  return ` Zoomed to ${name}${missing.map((side) => `, which is not in ${side}`).join('')}.${lost}`;
}

const unitOf = ({ comparison: { normalised } }: PreparedComparison): string =>
  normalised.kind === 'share' ? 'share' : normalised.unit;

const zoomOf = ({ zoom = [] }: DeltaSection, { comparison, tree }: PreparedComparison): ReturnType<typeof zoomedRow> =>
  zoomedRow(tree, comparison.matched.table, zoom);

function largerSide(section: DeltaSection, compared: PreparedComparison): number {
  const { root } = zoomOf(section, compared);
  const { before, after } = compared.tree;
  return Math.max(before.total[root]!, after.total[root]!);
}

/** `scale`: the weight that fills the width; absent: the zoomed frame's. */
function draw(
  width: DeltaWidth,
  section: DeltaSection,
  compared: PreparedComparison,
  notes: readonly NumberedNote[],
  size: PictureSize,
  scale?: number,
): FlamePicture {
  const { comparison, tree, verdict } = compared;
  const wide = widthTree(tree, width);
  const deltaOf = (node: number): FrameDelta => rowDelta(tree, verdict, node);
  const whole = largerSide(section, compared);
  return flamePicture({
    names: comparison.matched.table,
    tree: wide,
    root: zoomOf(section, compared).root,
    ...size,
    orientation: section.orientation ?? 'flame',
    unit: unitOf(compared),
    colour: (node) => deltaColour(deltaOf(node), 'light'),
    matches: compared.searches.get(section.search ?? '')?.matches ?? null,
    suffix: (node) => {
      const { before: from, after: to } = deltaOf(node);
      return whole === 0 ? '' : `; ${signed((100 * (to - from)) / whole)}%`;
    },
    ...(scale === undefined ? {} : { scale }),
    pins: treePins(notes, null, comparison.matched.table, wide).atNode,
  });
}

const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${percent.toFixed(2)}`;
