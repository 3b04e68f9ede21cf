import { basename } from 'node:path';
import { keepUnknown } from '../disk/keep-unknown.ts';
import { NotASmallFile, readSmallFileNow } from '../disk/read-small-file.ts';

/**
 * Upgraders by the version that they upgrade to the next one. An upgrader takes and returns a parsed document and has
 * no side effects.
 */
type Upgraders = ReadonlyMap<number, (document: Record<string, unknown>) => Record<string, unknown>>;

/** A kind of JSON document with a `schemaVersion` in the library. */
export interface DocumentKind {
  readonly fileName: string;
  /** The newest version, which is written. */
  readonly version: number;
  /** Documents are upgraded when read, and written back with their next change. */
  readonly upgraders: Upgraders;
  /** The remedy for a damaged document, one line. */
  readonly repair: string;
}

/** Why a document cannot be used. */
export class DamagedDocument extends Error {
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'DamagedDocument';
    this.remedy = remedy;
  }
}

/** A document of a version that only a newer Flamebench reads. */
export class NewerDocument extends DamagedDocument {}

/** Maximum size of a document in bytes; larger ones are not Flamebench's. */
export const DOCUMENT_LIMIT_BYTES = 8 << 20;

/** Parses the text of a document and upgrades it to the newest version. Throws {@link DamagedDocument}. */
export function parseVersioned(text: string, kind: DocumentKind): Record<string, unknown> {
  return upgrade(parseObject(text, kind), kind);
}

/**
 * Returns the text of a changed document. `known` is what was read of `text`; the fields of `text` that it lacks are
 * kept.
 */
export const changedText = (kind: DocumentKind, text: string, known: object, changed: object): string =>
  `${JSON.stringify(keepUnknown(parseVersioned(text, kind), known, changed), null, 2)}\n`;

/** Upgrades a document to the newest version step by step. */
export function upgrade(
  document: Record<string, unknown>,
  { fileName, version, upgraders, repair }: DocumentKind,
): Record<string, unknown> {
  let current = document;
  for (;;) {
    const from = current['schemaVersion'];
    if (from === version) return current;
    if (typeof from !== 'number' || !Number.isInteger(from) || from < 1) {
      throw new DamagedDocument(`${fileName}: no schemaVersion`, repair);
    }
    if (from > version) {
      throw new NewerDocument(
        `${fileName}: written by a newer Flamebench (schema ${from}, this one reads ${version})`,
        'Update Flamebench. Nothing in the folder has been changed.',
      );
    }
    const step = upgraders.get(from);
    if (step === undefined) throw new DamagedDocument(`${fileName}: schema ${from} can’t be upgraded`, repair);
    current = { ...step(current), schemaVersion: from + 1 };
  }
}

/** Throws a {@link DamagedDocument} with the location of a schema's issue. */
export function refuseInvalid(
  { fileName, repair }: Pick<DocumentKind, 'fileName' | 'repair'>,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): never {
  throw new DamagedDocument(`${fileName}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`, repair);
}

function parseObject(text: string, { fileName, repair }: DocumentKind): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DamagedDocument(`${fileName}: ${error instanceof Error ? error.message : 'not JSON'}`, repair);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DamagedDocument(`${fileName}: not a JSON object`, repair);
  }
  return value as Record<string, unknown>;
}

/** Returns the text of a document; links are not followed. Throws {@link DamagedDocument} or a system error. */
export function readDocumentFile(path: string): string {
  try {
    return readSmallFileNow(path, DOCUMENT_LIMIT_BYTES).toString('utf8');
  } catch (error) {
    if (!(error instanceof NotASmallFile)) throw error;
    throw new DamagedDocument(
      `${basename(path)}: not a file smaller than ${DOCUMENT_LIMIT_BYTES >> 20} MiB`,
      'Move it out of its folder.',
    );
  }
}
