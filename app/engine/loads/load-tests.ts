import { basename, dirname, join } from 'node:path';
import { removeFolderOf } from '#collectors/effects/remove.ts';
import { writeAtomically } from '#collectors/effects/write.ts';
import type { StoredProbe } from '#core/contract/load/probe.ts';
import { loadRunSchema, type LoadRun, type LoadTest, type StoredLoadTest } from '#core/contract/load/load-test.ts';
import { failedWhole } from '#core/load/describe-load.ts';
import type { ProbeSample } from '#core/load/probe.ts';
import type { DamagedCapture } from '#core/contract/schemas.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { EngineFailure } from '../failure.ts';
import { cleanName, WRITER_LOCK } from '../library/captures/files.ts';
import { folderDocumentText, openDocumentFolders } from '../library/document-folders.ts';
import { isLocked, takeLock, type FolderLock } from '../disk/folder-lock.ts';
import type { Library } from '../library/library.ts';
import { ownIdentity } from '../disk/process-identity.ts';
import { LOAD_TESTS } from '../library/load-document.ts';
import { DOCUMENT_LIMIT_BYTES } from '../library/versioned-document.ts';

export interface NewLoadTest {
  readonly name: string;
  readonly host: string | null;
  readonly plan: LoadTest['plan'];
  /** Without secrets; absent for files. */
  readonly commands?: readonly (readonly string[])[];
  /** Present for a series of probes, without secrets; its samples are those so far. */
  readonly probe?: StoredProbe;
}

export interface LoadTestList {
  /** Newest first. */
  readonly tests: readonly LoadTest[];
  readonly damaged: readonly DamagedCapture[];
}

/** A load test that is being written. Each run is on disk when `add` resolves. */
export interface LoadTestWriter {
  readonly id: string;
  /** Adds a run, with the output of its tool; once the document is full, without its vitals, and then no more. */
  add(run: Omit<LoadRun, 'file'>, output: string): Promise<void>;
  /** Adds a probe to a series of probes. */
  addProbe(sample: ProbeSample): Promise<void>;
  /** Ends the writing; the runs so far are kept. A test in which no request succeeded is `failed`. */
  finish(state: 'finished' | 'stopped' | 'failed', message?: string | null): Promise<LoadTest>;
  /** Removes the test with its runs. */
  discard(): Promise<void>;
}

/** Size of a test with all its runs: leaves room for its end and its next name. */
const MAX_BYTES = DOCUMENT_LIMIT_BYTES - (64 << 10);
const NO_ROOM = 'Vitals and series of the run are not kept: the load test is too large.';

/** Returns the runs of a test and one more, if need be without its vitals. Throws an `EngineFailure` if there is no room. */
function withRun(test: StoredLoadTest, run: LoadRun): LoadRun[] {
  const { vitals: _, ...bare } = run;
  const bareResult = { ...run.result, notes: [...run.result.notes.slice(-99), NO_ROOM] };
  for (const one of [run, { ...bare, result: bareResult }]) {
    const grown: StoredLoadTest = { ...test, runs: [...test.runs, one] };
    if (Buffer.byteLength(folderDocumentText(grown)) <= MAX_BYTES) return grown.runs;
  }
  throw new EngineFailure('too-large', 'The load test has no room for another run.', 'Use fewer steps or runs.');
}

/**
 * The load tests of a library. Several processes may use them concurrently, as with captures. All methods reject with
 * an `EngineFailure`.
 */
export interface LoadTests {
  list(): Promise<LoadTestList>;
  get(id: string): Promise<LoadTest>;
  create(initial: NewLoadTest): Promise<LoadTestWriter>;
  rename(id: string, name: string): Promise<LoadTest>;
  /** Moves the test to the library's `.trash`. */
  trash(id: string): Promise<void>;
}

export async function openLoadTests(library: Library, now: () => number = Date.now): Promise<LoadTests> {
  const self = await ownIdentity();
  const folders = await openDocumentFolders(library, LOAD_TESTS, now);

  /** Marks a test as interrupted if its writer has ended without finishing it. */
  async function withState(test: StoredLoadTest): Promise<LoadTest> {
    if (test.state !== 'running' || (await isLocked(folders.folderOf(test.id), WRITER_LOCK, self))) return test;
    // The writer may have finished between the two reads.
    const again = await folders.read(test.id);
    return again.state === 'running' ? { ...again, state: 'interrupted' } : again;
  }

  return {
    async list() {
      const { documents, damaged } = await folders.list(withState);
      return { tests: documents, damaged };
    },

    get: (id) => folders.guarded(id, 'read', async () => withState(await folders.read(id))),

    async create({ name, host, plan, commands, probe }) {
      const at = now();
      let test: StoredLoadTest = {
        schemaVersion: 1,
        id: folders.newId(),
        name: cleanName(name),
        createdAt: at,
        changedAt: at,
        state: 'running',
        message: null,
        host,
        plan,
        ...(commands === undefined ? {} : { commands: commands.map((argv) => [...argv]) }),
        runs: [],
        ...(probe === undefined ? {} : { probe }),
      };
      const { id } = test;
      let lock: FolderLock | null = null;
      const add = folders.add(test, async (folder) => {
        lock = await takeLock(folder, WRITER_LOCK, self);
      });
      await add.catch(async (error: unknown) => {
        await lock?.release(folders.folderOf(id));
        throw error;
      });
      const change = async (next: Partial<StoredLoadTest>): Promise<void> => {
        // The name may have changed in the meantime.
        test = await folders.change(id, 'write', ({ name: current }) => ({ ...test, ...next, name: current }));
      };
      return {
        id,
        async add(run, output) {
          const file = `run-${String(test.runs.length + 1).padStart(3, '0')}.txt`;
          const checked = loadRunSchema.safeParse({ ...run, file });
          if (!checked.success) throw impossible(checked.error.issues[0]);
          const runs = withRun(test, checked.data);
          await folders.guarded(id, 'write', () =>
            writeAtomically(join(folders.folderOf(id), file), redactText(output)),
          );
          await change({ runs });
        },
        async addProbe(sample) {
          const { probe: before } = test;
          if (before !== undefined) await change({ probe: { ...before, samples: [...before.samples, sample] } });
        },
        async finish(state, message = null) {
          // Results of files are not this program's failures.
          const failure = plan === null ? null : failedWhole(test.runs.map(({ result }) => result));
          if (failure === null) await change({ state, message });
          else await change({ state: 'failed', message: message === null ? failure : `${failure} ${message}` });
          await lock?.release(folders.folderOf(id));
          return test;
        },
        async discard() {
          const folder = folders.folderOf(id);
          await removeFolderOf(dirname(folder), basename(folder));
          await lock?.release(folder);
          await library.touch();
        },
      };
    },

    rename: async (id, name) =>
      withState(await folders.change(id, 'rename', (test) => ({ ...test, name: cleanName(name) }))),

    async trash(id) {
      await folders.guarded(id, 'move to the trash', async () => {
        if (await isLocked(folders.folderOf(id), WRITER_LOCK, self)) throw isRunning();
      });
      await folders.trash(id);
    },
  };
}

/** Returns the error for numbers that no tool measures; a document with them could not be read again. */
const impossible = (
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): EngineFailure =>
  new EngineFailure(
    'invalid-result',
    `A result can't be kept: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not valid'}.`,
    'Correct the file, or leave it out.',
  );

const isRunning = (): EngineFailure =>
  new EngineFailure(
    'in-use',
    'A Flamebench process is still running this load test.',
    'Stop it, or try again when it has ended.',
  );
