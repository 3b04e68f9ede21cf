import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { CompareCapture, CompareState } from './compare.types.ts';

/** A capture's name, which can change while it is compared, else the file's. */
export function captureName(
  { origin, source, opened }: CompareCapture,
  captures: readonly CaptureDocument[] | null = null,
): string {
  const known = origin.kind === 'capture' ? captures?.find(({ id }) => id === origin.id)?.name : undefined;
  return known ?? opened?.facts.name ?? source.fileName;
}

/** The experiment's name, else what the captures of the sides have in common: `server-1.4 ↔ server-1.5`. */
export function compareTitle(
  { name, before, after }: Pick<CompareState, 'name' | 'before' | 'after'>,
  captures: readonly CaptureDocument[] | null = null,
): string {
  if (name !== null) return name;
  const side = ({ captures: all }: CompareState['before']): string =>
    commonName(all.map((capture) => captureName(capture, captures)));
  return `${side(before)} ↔ ${side(after)}`;
}

/** Shorter beginnings say nothing. */
const LEAST_LENGTH = 3;

/** What names begin with alike, without the numbers that tell them apart. */
export function commonName(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first === undefined) return 'nothing';
  if (others.length === 0) return first;
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first[same] === other[same]) same += 1;
    length = same;
  }
  const common = first.slice(0, length).replace(/[\s\d._#(-]+$/, '');
  return common.length >= LEAST_LENGTH ? common : `${first} + ${others.length}`;
}
