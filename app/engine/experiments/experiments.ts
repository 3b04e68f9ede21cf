import { randomBytes } from 'node:crypto';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DEFAULT_EXPERIMENT_OPTIONS,
  EMPTY_SIDE,
  type Experiment,
  type ExperimentCapture,
  type ExperimentChange,
  type ExperimentState,
  type MissingCapture,
} from '#core/contract/experiment.ts';
import type { Params } from '#core/contract/contract.ts';
import type { DamagedCapture, Side } from '#core/contract/schemas.ts';
import { EngineFailure, isMissing, storageFailure } from '../failure.ts';
import {
  cleanName,
  EDIT_LOCK,
  EXPERIMENTS_FOLDER,
  newCaptureId,
  TEMP_FOLDER,
  TRASH_FOLDER,
} from '../library/capture-files.ts';
import { EDIT_WAIT_MS } from '../library/capture-store.ts';
import { underLock } from '../library/folder-lock.ts';
import type { Library } from '../library/library.ts';
import { makeFolders } from '../library/make-folders.ts';
import { ownIdentity } from '../library/process-identity.ts';
import { DamagedDocument, readDocumentFile } from '../library/versioned-document.ts';
import { syncFolder, writeAtomically } from '../library/write-atomically.ts';
import { changeExperiment } from './change-experiment.ts';
import {
  EXPERIMENT_FILE,
  EXPERIMENT_VERSION,
  experimentText,
  isExperimentId,
  parseExperiment,
} from './experiment-document.ts';

export type NewExperiment = Params<'experiment.create'>;

export interface ExperimentList {
  /** Those last changed first. */
  readonly experiments: readonly ExperimentState[];
  readonly damaged: readonly DamagedCapture[];
}

/**
 * The experiments of a library: which captures are compared with which, and how. Several processes may work on them at once, as on
 * captures. Everything rejects with an `EngineFailure`; nothing here changes or removes a capture.
 */
export interface Experiments {
  list(): Promise<ExperimentList>;
  get(id: string): Promise<ExperimentState>;
  /** Refuses captures that the library does not have. */
  create(initial: NewExperiment): Promise<ExperimentState>;
  /** Changes what is there under a lock, so that two who change different things lose neither. */
  change(id: string, change: ExperimentChange): Promise<ExperimentState>;
  /** Moves the experiment into the library's `.trash`; its captures stay. */
  trash(id: string): Promise<void>;
  restore(id: string): Promise<ExperimentState>;
  /** Puts an experiment that was made elsewhere into the library, under an id of its own. */
  adopt(experiment: Experiment): Promise<ExperimentState>;
}

export async function openExperiments(library: Library, now: () => number = Date.now): Promise<Experiments> {
  const self = await ownIdentity();
  const root = join(library.path, EXPERIMENTS_FOLDER);

  function folderOf(id: string): string {
    if (!isExperimentId(id)) throw noSuchExperiment(id);
    return join(root, id);
  }

  const read = async (id: string): Promise<Experiment> => ({
    ...parseExperiment(await readDocumentFile(join(folderOf(id), EXPERIMENT_FILE))),
    id,
  });

  /** Writes a new experiment: in the temp folder first, so that the list never has half of one. */
  async function write(experiment: Experiment): Promise<ExperimentState> {
    const unfinished = join(library.path, TEMP_FOLDER, experiment.id);
    try {
      await makeFolders(unfinished);
      await writeAtomically(join(unfinished, EXPERIMENT_FILE), experimentText(experiment));
      await makeFolders(root);
      await rename(unfinished, join(root, experiment.id));
      await syncFolder(root);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
      throw storageFailure(error, `make an experiment in ${library.path}`);
    }
    await library.touch();
    return withMissing(library, experiment);
  }

  /** What captures are called; throws where the library does not have one that is none of `known` either. */
  async function namesOf(ids: readonly string[], known: readonly ExperimentCapture[]): Promise<Map<string, string>> {
    const names = new Map(known.map(({ id, name }) => [id, name]));
    for (const id of ids) if (!names.has(id)) names.set(id, (await library.get(id)).name);
    return names;
  }

  const newId = (): string => `experiment-${newCaptureId(now(), randomBytes(4).toString('hex'))}`;

  return {
    async list() {
      const experiments: Experiment[] = [];
      const damaged: DamagedCapture[] = [];
      for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
        if (!entry.isDirectory() || !isExperimentId(entry.name)) continue;
        try {
          experiments.push(await read(entry.name));
        } catch (error) {
          // Trashed while the list was read.
          if ((await lstat(join(root, entry.name)).catch(() => null)) !== null)
            damaged.push(damagedRow(entry.name, error));
        }
      }
      experiments.sort((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? 1 : -1));
      const states = [];
      for (const experiment of experiments) states.push(await withMissing(library, experiment));
      return { experiments: states, damaged };
    },

    get: (id) => guarded(id, 'read', async () => withMissing(library, await read(id))),

    async create({ name, before, after, notes = '', options = {} }) {
      const ids = [...before, ...after].map(({ id }) => id);
      const names = await namesOf(ids, []);
      const at = now();
      const empty: Experiment = {
        schemaVersion: EXPERIMENT_VERSION,
        id: newId(),
        name: 'unnamed',
        createdAt: at,
        changedAt: at,
        before: EMPTY_SIDE,
        after: EMPTY_SIDE,
        notes,
        options: DEFAULT_EXPERIMENT_OPTIONS,
      };
      const filled = changeExperiment(empty, { before: { put: before }, after: { put: after }, options }, names);
      return write({ ...filled, name: cleanName(name ?? suggestedName(filled)) });
    },

    change: (id, change) =>
      guarded(id, 'change', async () => {
        const folder = folderOf(id);
        const put = [change.before, change.after].flatMap((side) => side?.put ?? []).map((capture) => capture.id);
        const changed = await underLock(folder, EDIT_LOCK, self, { waitMs: EDIT_WAIT_MS, inUse }, async () => {
          const experiment = await read(id);
          const next = changeExperiment(experiment, change, await namesOf(put, capturesOf(experiment)));
          const stamped = { ...next, changedAt: now() };
          await writeAtomically(join(folder, EXPERIMENT_FILE), experimentText(stamped));
          return stamped;
        });
        await library.touch();
        return withMissing(library, changed);
      }),

    async trash(id) {
      const folder = folderOf(id);
      await guarded(id, 'move to the trash', async () => {
        await lstat(folder);
        const trash = join(library.path, TRASH_FOLDER);
        await makeFolders(trash);
        await rename(folder, join(trash, id));
      });
      await library.touch();
    },

    async restore(id) {
      const folder = folderOf(id);
      return guarded(id, 'restore', async () => {
        await rename(join(library.path, TRASH_FOLDER, id), folder);
        await library.touch();
        return withMissing(library, await read(id));
      });
    },

    adopt: (experiment) => write({ ...experiment, id: newId(), name: cleanName(experiment.name), changedAt: now() }),
  };
}

/** The captures of both sides; one that is on both comes twice. */
export const capturesOf = ({ before, after }: Experiment): ExperimentCapture[] => [
  ...before.captures,
  ...after.captures,
];

/** As the captures are called now, and which of them are not there. */
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

/** `server-old → server-new`: the first captures of both sides, without what tells sides and runs apart. */
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

/** `server --port 80` for `/opt/app/server --port 80`. */
const withoutFolders = (name: string): string => name.replace(/^\.{0,2}\/(?:[^\s/]+\/)*(?=[^\s/])/, '');

async function guarded<T>(id: string, attempt: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (isMissing(error)) throw noSuchExperiment(id);
    if (error instanceof DamagedDocument) throw new EngineFailure('damaged', error.message, error.remedy);
    throw storageFailure(error, `${attempt} the experiment ${id}`);
  }
}

function damagedRow(id: string, error: unknown): DamagedCapture {
  if (error instanceof DamagedDocument) return { id, message: error.message, remedy: error.remedy };
  const message = isMissing(error) ? `${EXPERIMENT_FILE} is missing` : String(error);
  return { id, message, remedy: 'Its captures are in the library, untouched: recreate the experiment.' };
}

const inUse = (): EngineFailure =>
  new EngineFailure(
    'in-use',
    'Another Flamebench process is still changing this experiment.',
    'Try again; if this persists, quit the other process.',
  );

const noSuchExperiment = (id: string): EngineFailure =>
  new EngineFailure(
    'not-found',
    `No experiment ${JSON.stringify(id.slice(0, 100))} in the library.`,
    'It may have been moved to the trash; reload the list.',
  );
