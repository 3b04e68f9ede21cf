import type { EarlierNotes } from '#core/contract/note-methods.ts';
import type { Note, NoteAnchor, NoteChange, NoteColour } from '#core/contract/notes.ts';
import { changeNotes, reverseChange } from '#core/notes/change-notes.ts';
import { orderNotes } from '#core/notes/order-notes.ts';
import type { Problem } from '../../ui/problem.ts';
import type { EngineClient } from '../engine-client.ts';
import { toProblem } from '../problem.ts';
import { createStore, type Store } from '../store.ts';

/** Storage for the notes of a capture or an experiment. */
export interface NoteKeeper {
  readonly read: (owner: string) => Promise<readonly Note[]>;
  /** Reads the notes of earlier captures of the same program. */
  readonly readEarlier: (owner: string) => Promise<readonly EarlierNotes[]>;
  /** Resolves with all notes after the change. */
  readonly change: (owner: string, change: NoteChange) => Promise<readonly Note[]>;
}

/** A note being written, kept while its editor is hidden. */
export interface NoteDraft {
  /** Null for a new note. */
  readonly id: string | null;
  readonly anchor: NoteAnchor;
  readonly text: string;
  readonly colour: NoteColour;
}

interface NotesState {
  /** ID of the capture or experiment that owns the notes; null if they last as long as the tab. */
  readonly owner: string | null;
  /** Ordered by number. */
  readonly notes: readonly Note[];
  readonly earlier: readonly EarlierNotes[];
  readonly draft: NoteDraft | null;
  /** ID of the note that was opened last, which the list shows. */
  readonly current: string | null;
  /** Why the newest change could not be stored; cleared by the next one that is. */
  readonly problem: Problem | null;
}

/** The notes of one tab. */
export interface NoteBook {
  readonly store: Store<NotesState>;
  /** Stores the notes under this ID from now on; null stores nothing. */
  readonly follow: (owner: string | null) => Promise<void>;
  /** Applies the changes made in other windows. */
  readonly refresh: () => Promise<void>;
  /** Adds notes of an earlier session, which can't be undone. */
  readonly restore: (notes: readonly Note[]) => void;
  /** Returns the notes that neither a capture nor an experiment has stored. */
  readonly unstored: () => readonly Note[];
  /** Applies a change, which can be undone. */
  readonly change: (change: NoteChange) => void;
  readonly write: (draft: NoteDraft | null) => void;
  readonly show: (id: string | null) => void;
  /** Returns the number of local changes in effect. */
  readonly position: () => number;
  /** Undoes or redoes changes up to a position. */
  readonly goTo: (position: number) => void;
}

interface NoteBookNeeds {
  /** Null if notes last as long as the tab. */
  readonly keeper: NoteKeeper | null;
  /** Called before and after each change that can be undone. */
  readonly willChange: () => void;
  readonly changed: () => void;
}

/** Creates a book. Changes are shown immediately and stored afterwards. */
export function createNoteBook({ keeper, willChange, changed }: NoteBookNeeds): NoteBook {
  const store = createStore<NotesState>({
    owner: null,
    notes: [],
    earlier: [],
    draft: null,
    current: null,
    problem: null,
  });
  /** Local changes with their reverses; those from index `done` on are undone. */
  let log: { readonly change: NoteChange; readonly reverse: NoteChange }[] = [];
  let done = 0;
  let pending = 0;

  function show(notes: readonly Note[]): void {
    const own = new Set(notes.map(({ id }) => id));
    const earlier = store
      .get()
      .earlier.map((one) => ({ ...one, notes: one.notes.filter(({ id }) => !own.has(id)) }))
      .filter((one) => one.notes.length > 0);
    store.set({ notes: orderNotes(notes), earlier });
  }

  async function keep(change: NoteChange): Promise<void> {
    const { owner } = store.get();
    if (owner === null || keeper === null) return;
    pending += 1;
    try {
      await keeper.change(owner, change);
      store.set({ problem: null });
    } catch (error) {
      store.set({ problem: toProblem(error) });
    } finally {
      pending -= 1;
    }
  }

  function apply(change: NoteChange): void {
    const notes = changeNotes(store.get().notes, change);
    // The library rejects too many notes and reports it.
    if (notes !== null) show(notes);
    void keep(change);
  }

  async function take(owner: string, read: () => Promise<readonly Note[]>): Promise<void> {
    if (keeper === null) return;
    try {
      const [kept, earlier] = await Promise.all([read(), keeper.readEarlier(owner).catch(() => [])]);
      if (store.get().owner !== owner) return;
      store.set({ earlier });
      // Changes made here during the request take precedence.
      if (pending === 0 && store.get().problem === null) show(kept);
      else show([...new Map([...kept, ...store.get().notes].map((note) => [note.id, note])).values()]);
    } catch (error) {
      store.set({ problem: toProblem(error) });
    }
  }

  return {
    store,
    async follow(owner) {
      if (owner === store.get().owner) return;
      store.set({ owner });
      if (owner === null || keeper === null) return;
      const made = [...store.get().notes];
      await take(owner, () =>
        made.length === 0 ? keeper.read(owner) : keeper.change(owner, { put: made, remove: [] }),
      );
    },
    async refresh() {
      const { owner } = store.get();
      if (owner !== null && keeper !== null && pending === 0) await take(owner, () => keeper.read(owner));
    },
    restore: (notes) => {
      if (notes.length > 0) apply({ put: [...notes], remove: [] });
    },
    unstored: () => {
      const { owner, problem, notes } = store.get();
      return owner === null || problem !== null ? notes : [];
    },
    change(change) {
      willChange();
      log = [...log.slice(0, done), { change, reverse: reverseChange(store.get().notes, change) }];
      done = log.length;
      apply(change);
      changed();
    },
    write: (draft) => store.set({ draft }),
    show: (current) => store.set({ current }),
    position: () => done,
    goTo(position) {
      while (done > position && done > 0) {
        done -= 1;
        apply(log[done]!.reverse);
      }
      while (done < position && done < log.length) {
        apply(log[done]!.change);
        done += 1;
      }
    },
  };
}

/** Returns the storage of notes in the library. */
export function engineNoteKeeper(engine: EngineClient): NoteKeeper {
  return {
    read: async (id) => (await engine.call('library.notes', { id })).notes,
    readEarlier: async (id) => (await engine.call('library.earlierNotes', { id })).captures,
    change: async (id, { put, remove }) =>
      (await engine.call('library.editNotes', { id, change: { put: [...put], remove: [...remove] } })).notes,
  };
}

/** Returns a note ID, unique within a capture or experiment. */
export const newNoteId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('-');
