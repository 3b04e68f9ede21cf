import type { CaptureDocument } from '#core/contract/schemas.ts';
import { commonName } from '../group-captures.ts';
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
  return `${sideName(before, captures)} ↔ ${sideName(after, captures)}`;
}

/** What the names of a side's captures have in common. */
export function sideName(
  { captures: all }: Pick<CompareState['before'], 'captures'>,
  captures: readonly CaptureDocument[] | null = null,
): string {
  const names = all.map((capture) => ({ name: captureName(capture, captures) }));
  const [first, ...others] = names;
  if (first === undefined) return 'nothing';
  const common = commonName(names);
  // They have nothing in common.
  return common === first.name && others.some(({ name }) => name !== common) ? `${common} + ${others.length}` : common;
}
