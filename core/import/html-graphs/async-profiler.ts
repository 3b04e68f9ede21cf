import { NO_STACK, type FrameIndex, type StackIndex } from '../../model/brand.ts';
import { malformed, tooLarge } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';

/** Names share their beginning with the previous one; its length is a printable character. */
const [LENGTH_BASE, MAX_SHARED] = [32, 95];
/** A call that draws a frame: `f`, `u` (one level up) or `n` (next on this level), and its arguments. */
const CALL = /^([fun])\(([^'\n]*)(?:'((?:[^'\\]|\\.)*)'[^\n]*)?\)/;
const NAME = /^'((?:[^'\\]|\\.)*)',?$/;
const LAST_LEVEL = 100_000;

/** By the frame type of async-profiler (frameName.h): interpreted, JIT, inlined, native, C++, kernel, C1. */
const KINDS = [
  FunctionKind.interpreted,
  FunctionKind.jit,
  FunctionKind.jit,
  FunctionKind.user,
  FunctionKind.user,
  FunctionKind.kernel,
  FunctionKind.jit,
];
const INLINED = 2;

interface Bar {
  readonly stack: StackIndex;
  readonly end: number;
  readonly width: number;
  /** Sum of the bars on it. */
  below: number;
}

interface DrawnFrame {
  readonly level: number;
  readonly left: number;
  readonly width: number;
  readonly name: string;
  readonly type: number;
}

/** Builds the profile of a page of async-profiler 2.x (names in calls) or later (names in a pool). */
export function buildAsyncProfilerHtml(text: string): Profile {
  const builder = new ProfileBuilder(1);
  const thread = builder.thread(-1, -1, '');
  const frameOf = (name: string, type: number): FrameIndex => {
    const func = builder.function({ name: name || '(unnamed)', kind: KINDS[type] ?? FunctionKind.unknown });
    return builder.frame({ func, inline: type === INLINED });
  };
  const open: Bar[] = [];
  const close = (level: number): void => {
    while (open.length > level) {
      const bar = open.pop()!;
      const self = bar.width - bar.below;
      if (self < 0) builder.diagnostics.add('children-exceed', 'Frames weigh less than the frames that they contain.');
      if (self > 0) builder.sample({ stack: bar.stack, thread }, self);
    }
  };
  /** End of the last bar of each level. */
  const ends: number[] = [];
  for (const { level, left, width, name, type } of framesOf(text)) {
    if (left < (ends[level] ?? 0)) {
      builder.diagnostics.add('skipped-frame', 'Frames that lie on others were skipped.');
      continue;
    }
    if (level > 0 && open[level - 1] === undefined) throw malformed(`a frame on level ${level} stands on none`);
    close(level);
    const below = open.at(-1);
    if (below !== undefined && left + width > below.end)
      throw malformed(`${JSON.stringify(name.slice(0, 80))} is wider than its caller`);
    // The bar of everything is no function.
    const isWhole = level === 0 && name === 'all';
    const caller = below?.stack ?? NO_STACK;
    const stack = isWhole ? NO_STACK : builder.stack(caller, frameOf(name, type));
    if (below !== undefined) below.below += width;
    open.push({ stack, end: left + width, width, below: 0 });
    ends[level] = left + width;
  }
  close(0);
  if (builder.sampleCount === 0) throw malformed('the page draws no frame, or it is cut off');
  builder.diagnostics.add(
    'picture',
    'This is a picture: frames too narrow to be drawn count as self weight of their callers.',
    {
      severity: 'info',
      remedy: 'Record with `-o jfr` or `-o collapsed` to have all frames.',
    },
  );
  const title = /<h1[^>]*>([^<]{1,200})<\/h1>/.exec(text)?.[1];
  return builder.finish([{ type: 'samples', unit: 'count' }], {
    format: 'async-profiler-html',
    tool: 'async-profiler',
    comments: title === undefined ? [] : [title.trim()],
  });
}

function* framesOf(text: string): Generator<DrawnFrame> {
  let [level, left, width] = [0, 0, 0];
  let pool: string[] | null = null;
  let isInPool = false;
  for (const [raw] of text.matchAll(/[^\n]+/g)) {
    const line = raw.trim();
    if (isInPool) {
      const name = NAME.exec(line)?.[1];
      if (name === undefined) isInPool = false;
      else pool!.push(unpacked(unescaped(name), pool!.at(-1)));
    } else if (line.startsWith('const cpool = [')) {
      pool = [];
      isInPool = true;
      // The names of a short pool may be on the same line.
      const rest = line.slice('const cpool = ['.length);
      for (const [, single, double] of rest.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g))
        pool.push(unpacked(unescaped(single ?? double!), pool.at(-1)));
      if (rest.includes(']')) isInPool = false;
    }
    const [, call, list = '', title] = CALL.exec(line) ?? [];
    if (call === undefined) continue;
    const numbers = list.replace(/,\s*$/, '').split(',').map(Number);
    if (numbers.some((number) => !Number.isSafeInteger(number) || number < 0)) continue;
    if (title !== undefined) {
      const [at = 0, start = 0, wide = 0, type = 0] = numbers;
      yield { level: levelAt(at), left: start, width: wide, name: unescaped(title), type };
      continue;
    }
    const [key = 0, ...place] = numbers;
    if (call === 'f') [level, left, width] = [place[0] ?? 0, left + (place[1] ?? 0), place[2] || width];
    else
      [level, left, width] = [call === 'u' ? level + 1 : level, call === 'u' ? left : left + width, place[0] || width];
    const name = pool?.[Math.floor(key / 8)];
    if (name === undefined) throw malformed(`a frame has the name ${Math.floor(key / 8)} of ${pool?.length ?? 0}`);
    yield { level: levelAt(level), left, width, name, type: key % 8 };
  }
}

function levelAt(level: number): number {
  if (level <= LAST_LEVEL) return level;
  throw tooLarge(`a graph of more than ${LAST_LEVEL} levels`);
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

function unpacked(packed: string, before: string | undefined): string {
  if (before === undefined) return packed;
  const shared = packed.charCodeAt(0) - LENGTH_BASE;
  if (!(shared >= 0 && shared <= MAX_SHARED)) throw malformed('a name of the pool can’t be unpacked');
  return before.slice(0, shared) + packed.slice(1);
}
