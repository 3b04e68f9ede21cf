import { NO_STACK, type FrameIndex, type StackIndex } from '../../model/brand.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { findUnit } from '../../units/units.ts';
import { wholeSession } from '../text/byte-collector.ts';
import { decodeDocument } from '../../model/decode-text.ts';
import type { ImportSession } from '../importer.ts';
import { readSvgFrames, type SvgFrame } from './frames.ts';
import { CHILDREN_EXCEED } from '../common-diagnostics.ts';

/** Engines limit strings to about 512 MiB. */
const MAX_BYTES = 256 * 2 ** 20;

export const svgSession = (): ImportSession => wholeSession('a picture', read, MAX_BYTES);

function read(bytes: Uint8Array): Profile {
  const text = decodeDocument(bytes).text;
  // The root frame may be anywhere in the file; without it, weights would be wrong.
  if (!text.trimEnd().endsWith('</svg>')) {
    throw malformed('the picture is truncated', { byte: bytes.length });
  }
  if (text.includes('<g id="sandwich">')) {
    throw unsupported('a picture of callers and callees has no whole stacks');
  }
  const builder = new ProfileBuilder(1);
  const frames = readSvgFrames(text, builder.diagnostics);
  if (frames.length === 0) {
    throw malformed('the picture has no frames with counts', { byte: bytes.length });
  }
  addFrames(builder, frames);
  builder.diagnostics.add(
    'picture',
    'This is a picture: frames too narrow to be drawn count as self weight of their callers.',
    { remedy: 'Open the profile it was drawn from.' },
  );
  return builder.finish([countedIn(frames[0]!.countName)], { format: 'flamegraph-svg' });
}

function addFrames(builder: ProfileBuilder, frames: readonly SvgFrame[]): void {
  const thread = builder.thread(-1, -1, '');
  const { order, parents } = standingFrames(frames);
  const stacks: StackIndex[] = [];
  const drawnAbove = new Float64Array(order.length);
  order.forEach(({ name, count }, row) => {
    const parent = parents[row]!;
    // The tools draw this frame below all stacks; it is not part of any.
    const isAll = parent < 0 && name === 'all';
    const caller = stacks[parent] ?? NO_STACK;
    const frame = (): FrameIndex => builder.frame({ func: builder.function({ name: name || '(unnamed)' }) });
    stacks.push(isAll ? NO_STACK : builder.stack(caller, frame()));
    if (parent >= 0) drawnAbove[parent]! += count;
  });
  order.forEach(({ count }, row) => {
    const own = count - drawnAbove[row]!;
    if (own < 0) builder.diagnostics.add(...CHILDREN_EXCEED);
    if (own <= 0 && drawnAbove[row]! > 0) return;
    const stack = stacks[row]!;
    builder.sample({ stack: stack === NO_STACK ? notDrawn(builder) : stack, thread }, Math.max(0, own));
  });
}

function notDrawn(builder: ProfileBuilder): StackIndex {
  const func = builder.function({ name: '(not drawn)', kind: FunctionKind.synthetic });
  return builder.stack(NO_STACK, builder.frame({ func }));
}

function countedIn(countName: string): { type: string; unit: string } {
  const unit = findUnit(countName);
  if (unit === null || unit.dimension === 'count') return { type: countName || 'samples', unit: 'count' };
  return { type: unit.dimension === 'memory' ? 'space' : 'time', unit: unit.name };
}

/** Frames ordered with callers first. */
interface StandingFrames {
  readonly order: readonly SvgFrame[];
  /** Row of the caller by row of `order`; −1: none. */
  readonly parents: readonly number[];
}

/** flamegraph.pl rounds positions to a tenth of a pixel. */
const ROUNDING = 0.1;

/** Finds the frame below each frame from their positions; if that is ambiguous, from whether its count has room. */
function standingFrames(frames: readonly SvgFrame[]): StandingFrames {
  const order: SvgFrame[] = [];
  const parents: number[] = [];
  let below: readonly SvgFrame[] = [];
  for (const level of levelsFromRoot(frames)) {
    const firstBelow = order.length - below.length;
    const room = below.map(({ count }) => count);
    let place = 0;
    for (const frame of level) {
      const middle = frame.left + frame.width / 2;
      const isNext = (next: SvgFrame): boolean =>
        distance(next, middle) < distance(below[place]!, middle) ||
        (room[place]! < frame.count && distance(next, middle) <= ROUNDING);
      while (place + 1 < below.length && isNext(below[place + 1]!)) place += 1;
      parents.push(below.length === 0 ? -1 : firstBelow + place);
      if (below.length > 0) room[place]! -= frame.count;
      order.push(frame);
    }
    below = level;
  }
  return { order, parents };
}

/** Returns the distance from the frame; 0 within it. */
const distance = ({ left, width }: SvgFrame, place: number): number => Math.max(0, left - place, place - left - width);

/**
 * Groups frames into rows, each from left to right, starting with the root's row: the lowest, or the topmost of an
 * icicle graph.
 */
function levelsFromRoot(frames: readonly SvgFrame[]): SvgFrame[][] {
  const byTop = Map.groupBy(frames, ({ top }) => top);
  const downwards = [...byTop].sort(([a], [b]) => a - b).map(([, level]) => level.sort((a, b) => a.left - b.left));
  return weigh(downwards[0]!) > weigh(downwards.at(-1)!) ? downwards : downwards.reverse();
}

/** If two rows have the same weight, the one whose frame is named `all` is the root's. */
const weigh = (level: readonly SvgFrame[]): number =>
  level.reduce((sum, { count }) => sum + count, 0) + (level[0]!.name === 'all' ? 0.5 : 0);
