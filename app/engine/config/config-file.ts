import { createHash } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { makeFolders, writeNew, writeThroughLink } from '#collectors/effects/write.ts';
import { EngineFailure, errorCode, isMissing } from '../failure.ts';
import { underLock } from '../disk/folder-lock.ts';
import { keepUnknown } from '../disk/keep-unknown.ts';
import { readSmallFile } from '../disk/read-small-file.ts';
import { ownIdentity } from '../disk/process-identity.ts';
import { messageOf } from '#core/model/failure.ts';

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
  /** Names of the fields that `write` may return; other fields are kept. Defaults to those of the initial value. */
  readonly fields?: readonly string[];
  /** Reads the fields of the parsed content. */
  readonly read: (content: Readonly<Record<string, unknown>>) => ReadContent<T>;
  readonly write: (value: T) => object;
}

/**
 * A small JSON file of the user's, shared by all running engines. Opening it never rejects because of its content:
 * unusable content is copied to a file next to it, once, which a line of `notices` names. What a newer version added is
 * kept, and the file of one with another schema is never changed. If the file is a link, its target is.
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
  /** The content of the file, and the part of it that this version knows. */
  let stored: StoredContent = { content: {}, known: {}, newer: false };
  let last: Promise<unknown> = Promise.resolve();

  /** Reads the file if its text has changed. Returns whether it has. */
  async function refresh(): Promise<boolean> {
    const bytes = await readBytes(path);
    const found = bytes?.toString('utf8') ?? null;
    if (found === text) return false;
    text = found;
    if (bytes === null || found === null) return false;
    const read = parseContent(options, found);
    value = read.value;
    stored = { content: read.content, known: knownPart(options, value), newer: read.newer };
    if (read.newer) notices.push(`${newerVersion(path, read.content)} Changes are lost when Flamebench exits.`);
    else if (read.problems.length > 0) notices.push(await keepAside(path, bytes, read.problems));
    if (read.unknown.length > 0)
      notices.push(`${path}: unknown to this version, and kept: ${read.unknown.join(', ')}.`);
    return true;
  }

  async function write(change: (current: T) => T): Promise<T> {
    await makeFolders(options.folder);
    return withLock(options.folder, options.name, async () => {
      await refresh();
      if (stored.newer) {
        const message = `${newerVersion(path, stored.content)} The change is lost when Flamebench exits.`;
        throw new EngineFailure('newer-config', message, 'Update Flamebench, or move the file away.');
      }
      value = change(value);
      const written = { schemaVersion: SCHEMA_VERSION, ...options.write(value) };
      const content = keepUnknown(stored.content, stored.known, written);
      const next = `${JSON.stringify(content, null, 2)}\n`;
      if (next !== text) await writeThroughLink(path, next);
      text = next;
      stored = { content, known: knownPart(options, value), newer: false };
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
    notices.push(`${path} can't be read: ${messageOf(error)}. The defaults are used; check the file's permissions.`);
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
    onForeignChange: (listener) => listeners.push(listener),
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

interface StoredContent {
  readonly content: unknown;
  readonly known: object;
  /** The file has a schema that only newer versions know. */
  readonly newer: boolean;
}

/** Returns null if there is no file. */
async function readBytes(path: string): Promise<Buffer | null> {
  try {
    return await readSmallFile(path, MAX_BYTES, { followLinks: true });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const fieldsOf = <T>({ fields, write, initial }: ConfigFileOptions<T>): readonly string[] =>
  fields ?? Object.keys(write(initial));

const knownPart = <T>(options: ConfigFileOptions<T>, value: T): object => ({
  schemaVersion: null,
  ...Object.fromEntries(fieldsOf(options).map((name) => [name, null])),
  ...options.write(value),
});

function parseContent<T>(options: ConfigFileOptions<T>, text: string) {
  const { initial, read } = options;
  const unusable = (problem: string) => ({
    value: initial,
    problems: [problem],
    unknown: [],
    newer: false,
    content: {},
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return unusable('it is not JSON');
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return unusable('it is not a JSON object');
  const { schemaVersion, ...rest } = content as Record<string, unknown>;
  const fields = fieldsOf(options);
  // Names of an object's own properties are never fields of a later version.
  const unknown = Object.keys(rest).filter((name) => !fields.includes(name) && !(name in {}));
  const { value, problems } = read(
    Object.fromEntries(Object.entries(rest).filter(([name]) => !unknown.includes(name))),
  );
  const newer = typeof schemaVersion === 'number' && schemaVersion > SCHEMA_VERSION;
  const shown = unknown.map((name) => name.slice(0, 60));
  if (schemaVersion === SCHEMA_VERSION || newer)
    return { value, problems, unknown: newer ? [] : shown, newer, content };
  const version = `its version is ${JSON.stringify(schemaVersion) ?? 'none'}`;
  return { value, problems: [version, ...problems], unknown: shown, newer, content };
}

const newerVersion = (path: string, content: unknown): string =>
  `${path} was written by a newer Flamebench (schema ${(content as { schemaVersion: number }).schemaVersion}, this one reads ${SCHEMA_VERSION}) and is not changed.`;

/**
 * Copies unusable content to a name that nothing overwrites, the same for the same content, and returns the line that
 * reports it.
 */
async function keepAside(path: string, content: Uint8Array, problems: readonly string[]): Promise<string> {
  const more = problems.length > 3 ? ` and ${problems.length - 3} more` : '';
  const what = `${path} is partly invalid (${problems.slice(0, 3).join('; ')}${more})`;
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const aside = path.replace(/(\.json)?$/, `.kept-${digest}.json`);
  try {
    await writeNew(aside, content).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    return `${what}. A copy is kept as ${aside}; defaults replace the invalid parts.`;
  } catch (error) {
    return `${what}, and could not be backed up (${messageOf(error)}). Copy it before you change a setting.`;
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
    `${path} can't be written: ${messageOf(error)}. The change is lost when Flamebench exits.`,
    full ? 'Free some space.' : 'Make the folder writable for this user, or set FLAMEBENCH_CONFIG to a writable one.',
    { cause: error },
  );
}
