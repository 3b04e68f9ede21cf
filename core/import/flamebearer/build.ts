import { NO_STACK, type FrameIndex, type StackIndex } from '../../model/brand.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { arrayAt, indexAt, numberAt, numberOr, objectAt, textOr, type JsonObject } from '../text/json-value.ts';

/** A bar of the level above, in ticks from the left. */
interface Bar {
  readonly start: number;
  readonly end: number;
  readonly stack: StackIndex;
}

/** Numbers of one bar: offset from the end of the previous one, total, self, for each side; then its name. */
const SIDES = new Map([
  ['single', 1],
  ['double', 2],
]);
const SIDE_NUMBERS = 3;
const NS_PER_S = 1e9;

/** Builds the profile of a flame graph of Pyroscope. */
export function buildFlamebearer(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const graph = objectAt(file['flamebearer'], 'flamebearer');
  const metadata = objectAt(file['metadata'] ?? {}, 'metadata');
  const format = textOr(metadata['format'] ?? graph['format'], 'single');
  const sides = SIDES.get(format);
  if (sides === undefined) {
    throw unsupported(`a flame graph of the format ${JSON.stringify(format.slice(0, 40))}`);
  }
  const builder = new ProfileBuilder(sides);
  const weight = addLevels(builder, graph, sides);
  const ticks = numberOr(graph['numTicks'], weight);
  if (ticks !== weight) {
    builder.diagnostics.add('inconsistent-total', 'The bars do not add up to the total that the file states.', {
      severity: 'warning',
    });
  }
  const { unit, rate } = unitOf(metadata);
  const types = sides === 1 ? [unit] : ['before', 'after'].map((type) => ({ type, unit: unit.unit }));
  return builder.finish(types, {
    format: 'flamebearer',
    tool: 'Pyroscope',
    period: rate === null ? null : { type: 'cpu', unit: 'nanoseconds', value: NS_PER_S / rate },
  });
}

/** Samples at 1 GHz are nanoseconds. */
function unitOf(metadata: JsonObject): { readonly unit: { type: string; unit: string }; readonly rate: number | null } {
  const units = textOr(metadata['units'], 'samples') || 'samples';
  const rate = numberOr(metadata['sampleRate'], 0);
  if (units === 'samples') {
    if (rate === NS_PER_S) return { unit: { type: 'cpu', unit: 'nanoseconds' }, rate: null };
    return { unit: { type: 'samples', unit: 'count' }, rate: rate > 0 && rate < NS_PER_S ? rate : null };
  }
  if (units === 'bytes') return { unit: { type: 'space', unit: 'bytes' }, rate: null };
  if (units === 'lock_nanoseconds') return { unit: { type: 'delay', unit: 'nanoseconds' }, rate: null };
  return { unit: { type: units, unit: 'count' }, rate: null };
}

/** Returns the sum of all self weights of both sides. */
function addLevels(builder: ProfileBuilder, graph: JsonObject, sides: number): number {
  const names = arrayAt(graph['names'], 'names').map((name) => textOr(name, '') || '(unnamed)');
  const thread = builder.thread(-1, -1, '');
  /** By name; made on first use. */
  const frames: (FrameIndex | undefined)[] = [];
  const columns = Array.from({ length: sides }, (_, column) => column);
  const step = sides * SIDE_NUMBERS + 1;
  let above: Bar[] = [];
  let sum = 0;
  arrayAt(graph['levels'], 'levels').forEach((level, depth) => {
    const numbers = arrayAt(level, `levels[${depth}]`);
    if (numbers.length % step !== 0) {
      throw malformed(`levels[${depth}] has ${numbers.length} numbers, not ${step} for each bar`);
    }
    const bars: Bar[] = [];
    let parent = 0;
    let end = 0;
    for (let at = 0; at < numbers.length; at += step) {
      let [offset, total] = [0, 0];
      for (let column = 0; column < sides; column++) {
        offset += sideAt(numbers, at + column * SIDE_NUMBERS, depth);
        total += sideAt(numbers, at + column * SIDE_NUMBERS + 1, depth);
      }
      const weights = columns.map((column) => sideAt(numbers, at + column * SIDE_NUMBERS + 2, depth));
      if (offset < 0 || weights.some((weight) => weight < 0) || total < 0) {
        throw malformed(`levels[${depth}][${at}] is negative`);
      }
      const start: number = end + offset;
      end = start + total;
      while (parent + 1 < above.length && above[parent]!.end <= start) parent += 1;
      const caller = above[parent];
      if (depth > 0 && (caller === undefined || start < caller.start || end > caller.end)) {
        throw malformed(`levels[${depth}][${at}] is not above a bar of the level before`);
      }
      const row = numbers[at + step - 1];
      if (!isRow(row, names.length)) indexAt(row, names.length, `the name of levels[${depth}][${at}]`);
      const name = names[row as number]!;
      // The bar of everything is no function.
      const isWhole = depth === 0 && name === 'total';
      const stack = isWhole
        ? NO_STACK
        : builder.stack(
            caller?.stack ?? NO_STACK,
            (frames[row as number] ??= builder.frame({ func: builder.function({ name }) })),
          );
      bars.push({ start, end, stack });
      if (weights.some((weight) => weight > 0)) builder.sample({ stack, thread }, ...weights);
      for (const weight of weights) sum += weight;
    }
    above = bars;
  });
  return sum;
}

/** Returns a number of a level; its place is text only for a message. */
function sideAt(numbers: readonly unknown[], at: number, depth: number): number {
  const value = numbers[at];
  return Number.isFinite(value) ? (value as number) : numberAt(value, `levels[${depth}][${at}]`);
}

const isRow = (value: unknown, length: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < length;
