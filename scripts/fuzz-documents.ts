import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openUserConfig } from '#app/engine/config/user-config.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { openJournal } from '#app/engine/targets/journal.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Note } from '#core/contract/notes.ts';

/** A folder with a document of each kind. */
export interface DocumentPlace {
  /** The documents as Flamebench wrote them, by path within the folder. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** Reads everything with one document damaged. Resolves with the problem, or null. */
  readWith(path: string, damaged: Uint8Array): Promise<string | null>;
  dispose(): void;
}

const KEPT = 'stays readable';

async function* folded(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from('main;work 3\n');
}

/** Creates a library with two captures and an experiment, a configuration, and a journal of a finished run. */
export async function makeDocumentPlace(): Promise<DocumentPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-fuzz-'));
  const [libraryPath, configPath] = [join(folder, 'library'), join(folder, 'config')];
  const library = await openLibrary(libraryPath, { configPath });
  const { id } = await library.importFile('a.folded', folded());
  await library.rename((await library.importFile('b.folded', folded())).id, KEPT);
  const words: Note = {
    id: 'n',
    anchor: { kind: 'whole' },
    text: 'notes',
    author: '',
    created: 1,
    edited: null,
    colour: 'none',
  };
  await library.editNotes(id, { put: [words], remove: [] });
  await (await openExperiments(library)).create({ name: 'e', before: [{ id }], after: [] });
  library.close();
  const config = await openUserConfig(configPath, libraryPath);
  await config.recent.add([join(folder, 'a.folded')]);
  await config.settings.edit((settings) => settings);
  await config.close();
  const target = createLocalTarget();
  const journal = openJournal(configPath);
  await journal.begin('local', target);
  await target.dispose();

  const documents = new Map<string, Uint8Array>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
    const path = join(entry.parentPath, entry.name);
    documents.set(path.slice(folder.length + 1), Uint8Array.from(readFileSync(path)));
  }

  async function readAll(isKeptDamaged: boolean): Promise<string | null> {
    const opened = await openLibrary(libraryPath, { configPath });
    try {
      const { captures, damaged } = await opened.list('');
      if (captures.length + damaged.length < 2)
        return `${2 - captures.length - damaged.length} captures are not listed`;
      if (!isKeptDamaged && !captures.some(({ name }) => name === KEPT)) return 'another capture is hidden';
      for (const capture of captures) {
        await allowed(opened.get(capture.id));
        await allowed(opened.notes(capture.id));
        await allowed(opened.openFile(capture.id));
      }
      const experiments = await openExperiments(opened);
      const listed = await experiments.list();
      if (listed.experiments.length + listed.damaged.length !== 1) return 'the experiment is not listed';
      await (await openUserConfig(configPath, libraryPath)).close();
      openJournal(configPath);
      return null;
    } finally {
      await opened.settled();
      opened.close();
    }
  }

  return {
    documents,
    async readWith(path, damaged) {
      const original = documents.get(path)!;
      const isKept = Buffer.from(original).includes(KEPT);
      writeFileSync(join(folder, path), damaged);
      try {
        return await readAll(isKept);
      } catch (error) {
        return String(error instanceof Error ? error.stack : error);
      } finally {
        writeFileSync(join(folder, path), original);
      }
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Accepts a refusal as well as an answer. */
async function allowed(answer: Promise<unknown>): Promise<void> {
  await answer.catch((error: unknown) => {
    if (!(error instanceof EngineFailure)) throw error;
  });
}
