import type { CaptureDocument } from '#core/contract/schemas.ts';
import { commonName } from '../group-captures.ts';
import { shownName } from '../capture-name.ts';
import type { CompareCapture, CompareState } from './compare.types.ts';

/** Returns the capture's current name in the library, else the file name. */
export function captureName(
  { origin, source, opened }: CompareCapture,
  captures: readonly CaptureDocument[] | null = null,
): string {
  const known = origin.kind === 'capture' ? captures?.find(({ id }) => id === origin.id) : undefined;
  if (known !== undefined) return shownName(known, captures ?? []);
  return opened?.facts.name ?? source.fileName;
}

/**
 * Returns the experiment's name, else the common part of each side's capture names: `server-1.4 ↔ server-1.5`. What
 * both have before a comma is stated once: `server, before ↔ after`.
 */
export function compareTitle(
  { name, before, after }: Pick<CompareState, 'name' | 'before' | 'after'>,
  captures: readonly CaptureDocument[] | null = null,
): string {
  if (name !== null) return name;
  const [left, right] = [sideName(before, captures), sideName(after, captures)];
  const shared = left.slice(0, left.lastIndexOf(', ') + 2);
  return `${left} ↔ ${shared.length > 2 && right.startsWith(shared) ? right.slice(shared.length) : right}`;
}

/** Returns the common part of the names of a side's captures. */
export function sideName(
  { captures: all }: Pick<CompareState['before'], 'captures'>,
  captures: readonly CaptureDocument[] | null = null,
): string {
  const names = all.map((capture) => ({ name: captureName(capture, captures) }));
  const [first, ...others] = names;
  if (first === undefined) return 'nothing';
  const common = commonName(names);
  // The names have nothing in common.
  return common === first.name && others.some(({ name }) => name !== common) ? `${common} + ${others.length}` : common;
}
