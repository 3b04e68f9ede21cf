import { MAX_MARKS } from '#core/contract/schemas.ts';
import type { CaptureNotes, TimeMark } from '#core/contract/schemas.ts';
import { EngineFailure } from '../failure.ts';

/** Notes with marks added or replaced by their ids, and others removed. Without a `marks` of its own where none is left. */
export function changeMarks(notes: CaptureNotes, put: readonly TimeMark[], remove: readonly string[]): CaptureNotes {
  const byId = new Map((notes.marks ?? []).map((mark) => [mark.id, mark]));
  for (const id of remove) byId.delete(id);
  for (const mark of put) byId.set(mark.id, mark);
  if (byId.size > MAX_MARKS) {
    throw new EngineFailure(
      'too-many',
      `A capture has at most ${MAX_MARKS} marks.`,
      'Delete some that you don’t need.',
    );
  }
  const { marks: _before, ...rest } = notes;
  return byId.size === 0 ? rest : { ...rest, marks: [...byId.values()] };
}
