import { join } from 'node:path';
import { writeAtomically } from '#collectors/effects/write.ts';
import {
  DEFAULT_EXPERIMENT_OPTIONS,
  EMPTY_SIDE,
  MAX_SIDE_CAPTURES,
  type Experiment,
  type ExperimentCapture,
  type ExperimentChange,
  type ExperimentState,
  type MissingCapture,
  type ExperimentSide,
  type ExperimentSideChange,
} from '#core/contract/experiment.ts';
import type { Params } from '#core/contract/contract.ts';
import type { Note, NoteChange } from '#core/contract/notes.ts';
import type { DamagedCapture, CaptureDocument } from '#core/contract/schemas.ts';
import type { Side } from '#core/contract/side.ts';
import { EngineFailure } from '../failure.ts';
import { cleanName, NOTES_FILE } from '../library/captures/files.ts';
import { openDocumentFolders } from '../library/document-folders.ts';
import { editNotes, notesText, readNotes } from '../library/notes-file.ts';
import type { Library } from '../library/library.ts';
import { EXPERIMENTS } from '../library/experiment-document.ts';
import type { RecordedSides } from '../recording/recording.ts';

type NewExperiment = Params<'experiment.create'>;

interface ExperimentList {
  /** Most recently changed first. */
  readonly experiments: readonly ExperimentState[];
  readonly damaged: readonly DamagedCapture[];
}

/**
 * The experiments of a library: which captures are compared with which, and how. Several processes may use them
 * concurrently, as with captures. All methods reject with an `EngineFailure`; none changes or removes a capture.
 */
export interface Experiments {
  list(): Promise<ExperimentList>;
  get(id: string): Promise<ExperimentState>;
  /** Rejects if the library lacks one of the captures. */
  create(initial: NewExperiment): Promise<ExperimentState>;
  /** Applies a change under a lock, so that concurrent changes are not lost. */
  change(id: string, change: ExperimentChange): Promise<ExperimentState>;
  notes(id: string): Promise<Note[]>;
  /** Works as `Library.editNotes` does. */
  editNotes(id: string, change: NoteChange): Promise<Note[]>;
  /** Moves the experiment to the library's `.trash`; its captures stay. */
  trash(id: string): Promise<void>;
  restore(id: string): Promise<ExperimentState>;
  /** Adds an experiment made elsewhere to the library, under a new ID, with its notes. */
  adopt(experiment: Experiment, notes: readonly Note[]): Promise<ExperimentState>;
}

export async function openExperiments(library: Library, now: () => number = Date.now): Promise<Experiments> {
  const folders = await openDocumentFolders(library, EXPERIMENTS, now);
  const shown = (experiment: Experiment): Promise<ExperimentState> => withMissing(library, experiment);

  async function add(experiment: Experiment, notes: readonly Note[] = []): Promise<ExperimentState> {
    await folders.add(experiment, async (folder) => {
      if (notes.length > 0) await writeAtomically(join(folder, NOTES_FILE), notesText(notes));
    });
    return shown(experiment);
  }

  /** Returns the captures' names; throws if a capture is neither in the library nor in `known`. */
  async function namesOf(ids: readonly string[], known: readonly ExperimentCapture[]): Promise<Map<string, string>> {
    const names = new Map(known.map(({ id, name }) => [id, name]));
    for (const id of ids) if (!names.has(id)) names.set(id, (await library.get(id)).name);
    return names;
  }

  return {
    async list() {
      const { documents, damaged } = await folders.list(shown);
      return { experiments: documents, damaged };
    },

    get: (id) => folders.guarded(id, 'read', async () => shown(await folders.read(id))),

    async create({ name, before, after, notes = '', options = {}, loads }) {
      const ids = [...before, ...after].map(({ id }) => id);
      const names = await namesOf(ids, []);
      const at = now();
      const empty: Experiment = {
        schemaVersion: 1,
        id: folders.newId(),
        name: 'unnamed',
        createdAt: at,
        changedAt: at,
        before: EMPTY_SIDE,
        after: EMPTY_SIDE,
        notes,
        options: DEFAULT_EXPERIMENT_OPTIONS,
        ...(loads === undefined ? {} : { loads }),
      };
      const filled = changeExperiment(empty, { before: { put: before }, after: { put: after }, options }, names);
      return add({ ...filled, name: cleanName(name ?? suggestedName(filled)) });
    },

    async change(id, change) {
      const put = [change.before, change.after].flatMap((side) => side?.put ?? []).map((capture) => capture.id);
      const changed = await folders.change(id, 'change', async (experiment) =>
        changeExperiment(experiment, change, await namesOf(put, capturesOf(experiment))),
      );
      return shown(changed);
    },

    notes: (id) => folders.guarded(id, 'read the notes of', () => readNotes(folders.folderOf(id))),
    editNotes: (id, change) => folders.edit(id, 'write the notes of', (folder) => editNotes(folder, change)),
    trash: (id) => folders.trash(id),
    restore: async (id) => shown(await folders.restore(id)),
    // The load tests of another library are not in the file.
    adopt(experiment, notes) {
      const own: Experiment = {
        ...experiment,
        id: folders.newId(),
        name: cleanName(experiment.name),
        changedAt: now(),
      };
      delete own.loads;
      return add(own, notes);
    },
  };
}

/** Returns the captures of both sides; one that is on both occurs twice. */
export const capturesOf = ({ before, after }: Experiment): ExperimentCapture[] => [
  ...before.captures,
  ...after.captures,
];

/** Returns the experiment with the captures' current names and the captures that are missing. */
async function withMissing(library: Library, experiment: Experiment): Promise<ExperimentState> {
  const names = new Map<string, string>();
  const missing = new Map<string, MissingCapture>();
  for (const { id, name } of capturesOf(experiment)) {
    if (names.has(id) || missing.has(id)) continue;
    try {
      names.set(id, (await library.get(id)).name);
    } catch (error) {
      const isDamaged = error instanceof EngineFailure && error.code === 'damaged';
      const why = isDamaged ? 'damaged' : (await library.isTrashed(id)) ? 'trashed' : 'missing';
      missing.set(id, { id, name, why });
    }
  }
  const renamed = (side: Experiment['before']): Experiment['before'] => ({
    ...side,
    captures: side.captures.map((capture) => ({ ...capture, name: names.get(capture.id) ?? capture.name })),
  });
  return {
    experiment: { ...experiment, before: renamed(experiment.before), after: renamed(experiment.after) },
    missing: [...missing.values()],
  };
}

/** Returns a name such as `server-old → server-new`, from the first capture of each side without its side and run. */
function suggestedName(experiment: Experiment): string {
  const nameOf = (side: Side): string | undefined => {
    const name = experiment[side].captures[0]?.name.replace(/ \(\d+\/\d+\)$/, '');
    return name?.endsWith(` ${side}`) === true ? name.slice(0, -side.length - 1) : name;
  };
  const [first, second] = [nameOf('before'), nameOf('after')];
  if (first === undefined || second === undefined || first === second) return first ?? second ?? 'Experiment';
  const short = [withoutFolders(first), withoutFolders(second)];
  return (short[0] === short[1] ? [first, second] : short).join(' → ');
}

/** Removes folders: `/opt/app/server --port 80` → `server --port 80`. */
const withoutFolders = (name: string): string => name.replace(/^\.{0,2}\/(?:[^\s/]+\/)*(?=[^\s/])/, '');

/** Returns an experiment with a change applied. `names` maps the IDs of added captures to their names. */
export function changeExperiment(
  experiment: Experiment,
  change: ExperimentChange,
  names: ReadonlyMap<string, string>,
): Experiment {
  const before = changeSide(experiment.before, change.before ?? {}, names);
  const after = changeSide(experiment.after, change.after ?? {}, names);
  const { options = {} } = change;
  return {
    ...experiment,
    ...(change.name === undefined ? {} : { name: cleanName(change.name) }),
    ...(change.notes === undefined ? {} : { notes: change.notes }),
    before: change.swap === true ? after : before,
    after: change.swap === true ? before : after,
    options: {
      normalisation: options.normalisation === undefined ? experiment.options.normalisation : options.normalisation,
      rules: options.rules ?? experiment.options.rules,
      transforms: options.transforms ?? experiment.options.transforms,
    },
  };
}

/** Applies a change to a side. A capture occurs only once; twice, it would count as two runs. */
function changeSide(
  side: ExperimentSide,
  { put = [], remove = [], ...choice }: ExperimentSideChange,
  names: ReadonlyMap<string, string>,
): ExperimentSide {
  const byId = new Map(side.captures.map((capture) => [capture.id, capture]));
  for (const id of remove) byId.delete(id);
  for (const { id, requests } of put) {
    const known = byId.get(id)?.requests ?? null;
    byId.set(id, { id, name: names.get(id) ?? id, requests: requests === undefined ? known : requests });
  }
  if (byId.size > MAX_SIDE_CAPTURES) {
    throw new EngineFailure(
      'too-many',
      `A side of an experiment has at most ${MAX_SIDE_CAPTURES} captures.`,
      'Remove some, or create another experiment.',
    );
  }
  return { ...side, ...choice, captures: [...byId.values()] };
}

/**
 * Returns the function that creates an experiment from recorded captures, or adds them to the experiment for which they
 * were recorded; it resolves with the experiment's ID. A command that ran to its end counts as one request, so that its
 * runs are compared by their whole weight: per second, a run that takes twice as long would be equal.
 */
export const keepSides =
  (experiments: Experiments) =>
  async ({ experimentId, name, before, after, wholeRuns }: RecordedSides): Promise<string> => {
    const toCapture = ({ id }: CaptureDocument) => (wholeRuns.includes(id) ? { id, requests: 1 } : { id });
    const put = { before: before.map(toCapture), after: after.map(toCapture) };
    const kept =
      experimentId === null
        ? await experiments.create({ name, ...put })
        : await experiments.change(experimentId, { before: { put: put.before }, after: { put: put.after } });
    return kept.experiment.id;
  };
