import type { SvgFrame } from './frames.ts';

/** Frames in an order that has callers first. */
export interface StandingFrames {
  readonly order: readonly SvgFrame[];
  /** By row of `order`: the row of the caller; −1: none. */
  readonly parents: readonly number[];
}

/** flamegraph.pl rounds places to a tenth of a pixel. */
const ROUNDING = 0.1;

/** Says on which frame each other stands, by where they lie, and where that is too close to tell, by whether its count has room. */
export function standingFrames(frames: readonly SvgFrame[]): StandingFrames {
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

/** 0 within the frame. */
const distance = ({ left, width }: SvgFrame, place: number): number => Math.max(0, left - place, place - left - width);

/** Rows of frames, each from left to right, beginning with the row that all stand on: the lowest, or of an icicle graph the topmost. */
function levelsFromRoot(frames: readonly SvgFrame[]): SvgFrame[][] {
  const byTop = new Map<number, SvgFrame[]>();
  for (const frame of frames) {
    const level = byTop.get(frame.top);
    if (level === undefined) byTop.set(frame.top, [frame]);
    else level.push(frame);
  }
  const downwards = [...byTop].sort(([a], [b]) => a - b).map(([, level]) => level.sort((a, b) => a.left - b.left));
  return weigh(downwards[0]!) > weigh(downwards.at(-1)!) ? downwards : downwards.reverse();
}

/** Of two rows that are as heavy, the one of the frame that the tools call all is the root's. */
const weigh = (level: readonly SvgFrame[]): number =>
  level.reduce((sum, { count }) => sum + count, 0) + (level[0]!.name === 'all' ? 0.5 : 0);
