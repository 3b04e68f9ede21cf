import { describeFound, describeTransform } from '../analyze/transforms/describe-transform.ts';
import { shortenMiddle, visibleText } from '../analyze/function-label.ts';
import type { StackView } from '../analyze/view/stack-view.ts';
import type { ThreadIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import type { VisiblePart } from './visible-part.ts';

/** Maximum number of threads that are named; the rest is counted. */
const LISTED_THREADS = 20;
const MAX_TEXT = 200;

/**
 * Describes the view in lines, with weights in the value type's unit. No line ends in a space and a number, so that
 * programs that read folded text without knowing comments do not take it for a stack. Names are shortened and their
 * control characters made visible; the JSON of a transform contains them in full.
 */
export function describeView(
  profile: Profile,
  view: StackView,
  { selection, transforms, resolved, captureName }: VisiblePart,
): string[] {
  const { type, unit } = profile.valueTypes[selection.valueType]!;
  const weight = (value: number): string => `${plainNumber(value)} ${unit === '' ? 'units' : short(unit)}`;
  const { fileName, format } = profile.metadata;
  return [
    `flamebench view of (${short(captureName ?? fileName ?? 'unnamed')}, ${format})`,
    `value type: (${short(type)}, ${short(unit)})`,
    `threads: (${describeThreads(profile, selection.threads)})`,
    `time: (${describeTime(view, selection.timeRange)})`,
    `total: (${weight(view.total)} in ${samples(view.sampleCount)})`,
    `hidden by transforms: (${weight(view.hidden)} of ${plainNumber(view.total + view.hidden)})`,
    ...transforms.flatMap((transform, index) => {
      const found = resolved.found[index] ?? null;
      const effect =
        found === null ? 'off' : `${describeFound(transform, found)}, hid ${weight(view.hiddenBy[index] ?? 0)}`;
      return [
        `transform ${index + 1}: ${describeTransform(transform)} (${effect})`,
        `transform ${index + 1} as JSON: ${JSON.stringify(transform)}`,
      ];
    }),
  ];
}

function describeThreads({ threads, strings }: Profile, chosen: readonly ThreadIndex[] | null): string {
  if (chosen === null) return `all ${threads.length}`;
  const named = chosen.slice(0, LISTED_THREADS).map((row) => {
    const name = `'${short(strings[threads.name[row]!] ?? '')}'`;
    return threads.tid[row]! < 0 ? name : `${threads.tid[row]} ${name}`;
  });
  const more = chosen.length > LISTED_THREADS ? ` and ${chosen.length - LISTED_THREADS} more` : '';
  return named.length === 0 ? 'none' : named.join(', ') + more;
}

function describeTime(view: StackView, range: { readonly start: number; readonly end: number } | null): string {
  if (range === null) return 'all';
  const absent = view.withoutTime === 0 ? '' : `; ${samples(view.withoutTime)} without a timestamp left out`;
  return `from ${plainNumber(range.start)} to before ${plainNumber(range.end)} nanoseconds of the capture's clock${absent}`;
}

const short = (text: string): string => shortenMiddle(visibleText(text.slice(0, 20_000)), MAX_TEXT);

/** Returns the count without separators, which programs read. */
const samples = (count: number): string => `${count} ${count === 1 ? 'sample' : 'samples'}`;

/** Writes integers without an exponent; sums beyond 2^53 are rounded. */
function plainNumber(value: number): string {
  if (!Number.isInteger(value)) return String(value);
  return Number.isSafeInteger(value) ? String(value) : `about ${BigInt(value)}`;
}
