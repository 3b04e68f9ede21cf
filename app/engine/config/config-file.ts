import { unwatchFile, watchFile } from 'node:fs';
import { chmod, copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, writeAtomically } from '#collectors/effects/write.ts';
import { EngineFailure, errorCode, isMissing } from '../failure.ts';
import { underLock } from '../library/folder-lock.ts';
import { NotASmallFile, readSmallFile } from '../library/read-small-file.ts';
import { ownIdentity } from '../library/process-identity.ts';

/** The result of reading a file's text: a usable value, and one line for each part of the text that is invalid. */
interface ReadContent<T> {
  readonly value: T;
  readonly problems: readonly string[];
}

interface ConfigFileOptions<T> {
  readonly folder: string;
  readonly name: string;
  /** The value without a file. */
  readonly initial: T;
  /** Reads the parsed content without its `schemaVersion`. */
  readonly read: (content: Readonly<Record<string, unknown>>) => ReadContent<T>;
  readonly write: (value: T) => object;
}

/**
 * A small JSON file of the user's, shared by all running engines. Opening it never rejects because of its content:
 * unusable content is copied to a file next to it, which a line of `notices` names.
 */
export interface ConfigFile<T> {
  readonly get: () => T;
  /**
   * Changes the file's current content, whichever engine wrote it last. The change takes effect even if it cannot be
   * written; the promise then rejects with an {@link EngineFailure}.
   */
  readonly edit: (change: (current: T) => T) => Promise<T>;
  readonly notices: readonly string[];
  /** Called after a change by another process, within about a second. */
  readonly onForeignChange: (listener: (value: T) => void) => void;
  /** Ends watching. Resolves when all changes are written, or could not be. */
  readonly close: () => Promise<void>;
}

const SCHEMA_VERSION = 1;
/** Maximum file size in bytes. Most files have a few kilobytes; sessions with many views have more. */
const MAX_BYTES = 8 << 20;
const WATCH_MS = 1000;
const LOCK_WAIT_MS = 3000;

export async function openConfigFile<T>(options: ConfigFileOptions<T>): Promise<ConfigFile<T>> {
  const path = join(options.folder, options.name);
  const notices: string[] = [];
  const listeners: ((value: T) => void)[] = [];
  let text: string | null = null;
  let value = options.initial;
  let last: Promise<unknown> = Promise.resolve();

  /** Reads the file if its text has changed. Returns whether it has. */
  async function refresh(): Promise<boolean> {
    const found = await readText(path);
    if (found === text) return false;
    text = found;
    if (found === null) return false;
    const content = parseContent(options, found);
    value = content.value;
    if (content.problems.length > 0) notices.push(await keepAside(path, content.problems));
    return true;
  }

  async function write(change: (current: T) => T): Promise<T> {
    await makeFolders(options.folder);
    return withLock(options.folder, options.name, async () => {
      await refresh();
      value = change(value);
      const next = `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...options.write(value) }, null, 2)}\n`;
      if (next !== text) await writeAtomically(path, next);
      text = next;
      return value;
    });
  }

  const onStat = (): void => {
    const refreshed = last.then(refresh);
    last = refreshed.then(
      (changed) => {
        if (changed) for (const listener of listeners) listener(value);
      },
      () => undefined,
    );
  };

  await refresh().catch((error: unknown) => {
    notices.push(`${path} can't be read: ${reasonOf(error)}. The defaults are used; check the file's permissions.`);
  });
  watchFile(path, { interval: WATCH_MS, persistent: false }, onStat);
  return {
    get: () => value,
    edit: (change) => {
      const before = value;
      const edited = last.then(async () => {
        try {
          return await write(change);
        } catch (error) {
          if (value === before) value = change(value);
          throw writeFailure(error, path);
        }
      });
      last = edited.catch(() => undefined);
      return edited;
    },
    notices,
    onForeignChange: (listener) => {
      listeners.push(listener);
    },
    close: async () => {
      unwatchFile(path, onStat);
      let awaited: unknown;
      while (awaited !== last) {
        awaited = last;
        await last;
      }
    },
  };
}

/** Returns null if there is no file. */
async function readText(path: string): Promise<string | null> {
  try {
    return (await readSmallFile(path, MAX_BYTES, { followLinks: true })).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    // The file is too large to be one of Flamebench's. Empty text is unusable, so the file is copied aside before it is
    // overwritten.
    if (error instanceof NotASmallFile && (await isRegular(path))) return '';
    throw error;
  }
}

const isRegular = async (path: string): Promise<boolean> => (await stat(path)).isFile();

function parseContent<T>({ initial, read }: ConfigFileOptions<T>, text: string): ReadContent<T> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { value: initial, problems: ['it is not JSON'] };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { value: initial, problems: ['it is not a JSON object'] };
  }
  const { schemaVersion, ...content } = parsed as Record<string, unknown>;
  const { value, problems } = read(content);
  if (schemaVersion === SCHEMA_VERSION) return { value, problems };
  return { value, problems: [`its version is ${JSON.stringify(schemaVersion) ?? 'none'}`, ...problems] };
}

/** Copies unusable content to a name that nothing overwrites, and returns the line that reports it. */
async function keepAside(path: string, problems: readonly string[]): Promise<string> {
  const more = problems.length > 3 ? ` and ${problems.length - 3} more` : '';
  const what = `${path} is partly invalid (${problems.slice(0, 3).join('; ')}${more})`;
  const aside = path.replace(/(\.json)?$/, `.kept-${new Date().toISOString().replaceAll(/[^0-9]/g, '')}.json`);
  try {
    await copyFile(path, aside);
    await chmod(aside, 0o600);
    return `${what}. A copy is kept as ${aside}; defaults replace the invalid parts.`;
  } catch (error) {
    return `${what}, and could not be backed up (${reasonOf(error)}). Copy it before you change a setting.`;
  }
}

async function withLock<T>(folder: string, name: string, action: () => Promise<T>): Promise<T> {
  const inUse = (): EngineFailure =>
    new EngineFailure('in-use', `Another Flamebench process is writing ${name}.`, 'Try again.');
  return underLock(folder, name, await ownIdentity(), { waitMs: LOCK_WAIT_MS, inUse }, action);
}

function writeFailure(error: unknown, path: string): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const full = ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
  return new EngineFailure(
    full ? 'disk-full' : 'read-only',
    `${path} can't be written: ${reasonOf(error)}. The change is lost when Flamebench exits.`,
    full ? 'Free some space.' : 'Make the folder writable for this user, or set FLAMEBENCH_CONFIG to a writable one.',
    { cause: error },
  );
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
