import type { Comparison } from '#core/compare/comparison.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import { writeDiffFolded, type FoldedCapture } from '#core/export/diff-folded.ts';
import { seenProfile } from '#core/export/seen-profile.ts';
import type { DiffCapture, DiffSides } from './captures.ts';
import { diffNotes } from './notes.ts';
import { warn } from '../output/terminal.ts';

/** Stacks with both sides' weights. What they are of stands at the top, but not where that is what difffolded.pl would write: then on stderr. */
export function writeFoldedDiff(
  sides: DiffSides,
  comparison: Comparison,
  rules: MatchRules,
  write: (chunk: Uint8Array) => void,
): void {
  const all = [...sides.before, ...sides.after];
  const isPlain = all.every(
    ({ named, selection }) => named.length === 0 && selection.threads === null && selection.timeRange === null,
  );
  const notes = diffNotes(comparison, rules);
  const header = isPlain && comparison.normalised.kind === 'raw' ? [] : notes.map(withoutTrailingNumber);
  if (header.length === 0) for (const note of notes) warn(note);
  writeDiffFolded(
    { before: sides.before.map(foldedCapture), after: sides.after.map(foldedCapture) },
    comparison,
    header,
    write,
  );
}

function foldedCapture({ profile, selection, named, transforms }: DiffCapture): FoldedCapture {
  const { valueType, threads, timeRange } = selection;
  const isWhole = named.length === 0 && threads === null && timeRange === null;
  if (isWhole) return { profile, valueType };
  return { profile: seenProfile(profile, { selection, transforms: named, resolved: transforms }).profile, valueType };
}

/** A line that ends in a blank and a number would be read as a stack. */
const withoutTrailingNumber = (line: string): string => (/\s[\d.]+$/.test(line) ? `${line}.` : line);
