import { isExperimentId } from '../library/experiment-document.ts';
import type { Experiments } from '../experiments/experiments.ts';
import type { Handlers } from '../http/rpc.ts';
import type { Library } from '../library/library.ts';
import { earlierNotes } from '../notes/earlier-notes.ts';
import { createNoteCounts } from '../notes/note-counts.ts';

interface NoteParts {
  readonly library: Library;
  readonly experiments: Experiments;
}

type NoteMethod = 'library.notes' | 'library.editNotes' | 'library.earlierNotes' | 'library.noteCounts';

/** Returns the contract's methods for notes. */
export function noteHandlers({ library, experiments }: NoteParts): Pick<Handlers, NoteMethod> {
  const ownerOf = (id: string): Pick<Library, 'notes' | 'editNotes'> => (isExperimentId(id) ? experiments : library);
  const counts = createNoteCounts(library.path);
  return {
    'library.notes': async ({ id }) => ({ notes: await ownerOf(id).notes(id) }),
    'library.editNotes': async ({ id, change }) => ({ notes: await ownerOf(id).editNotes(id, change) }),
    'library.earlierNotes': async ({ id }) => ({
      captures: isExperimentId(id) ? [] : await earlierNotes(library, id),
    }),
    'library.noteCounts': async () => ({ counts: await counts() }),
  };
}
