import { captureDocumentSchema, captureNotesSchema } from '#core/contract/schemas.ts';
import type { CaptureDocument, CaptureNotes, DamagedCapture } from '#core/contract/schemas.ts';
import { isMissing } from '../failure.ts';
import { isRawFileName } from './capture-files.ts';

export const SCHEMA_VERSION = 1;

/** From the version that is its key to the next one. An upgrader takes and returns a parsed document, and touches nothing else. */
export type Upgraders = ReadonlyMap<number, (document: Record<string, unknown>) => Record<string, unknown>>;

/** None yet: 1 is the first version. Documents are upgraded when read and written back at their next change. */
const upgraders: Upgraders = new Map();

/** Why a document can't be used. */
export class DamagedDocument extends Error {
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'DamagedDocument';
    this.remedy = remedy;
  }
}

const REPAIR =
  'The raw files in its folder are untouched: drop one of them into the window to open it, or repair capture.json.';

/** Reads the text of a `capture.json`; throws {@link DamagedDocument}. */
export function parseDocument(text: string): CaptureDocument {
  const parsed = captureDocumentSchema.safeParse(upgrade(parseObject(text), SCHEMA_VERSION, upgraders));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new DamagedDocument(`capture.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`, REPAIR);
  }
  const document = parsed.data;
  const badName = [document.primaryFile, ...document.otherFiles].find((name) => !isRawFileName(name));
  if (badName !== undefined) {
    throw new DamagedDocument(`capture.json: ${JSON.stringify(badName)} is no name of a file in the folder`, REPAIR);
  }
  return document;
}

/** Brings a document to `version` step by step. */
export function upgrade(document: Record<string, unknown>, version: number, steps: Upgraders): Record<string, unknown> {
  let current = document;
  for (;;) {
    const from = current['schemaVersion'];
    if (from === version) return current;
    if (typeof from !== 'number' || !Number.isInteger(from) || from < 1) {
      throw new DamagedDocument('capture.json: no schemaVersion', REPAIR);
    }
    if (from > version) {
      throw new DamagedDocument(
        `capture.json: written by a newer Flamebench (schema ${from}, this one reads ${version})`,
        'Update Flamebench. Nothing in the folder has been changed.',
      );
    }
    const step = steps.get(from);
    if (step === undefined) throw new DamagedDocument(`capture.json: schema ${from} has no upgrade`, REPAIR);
    current = { ...step(current), schemaVersion: from + 1 };
  }
}

export function parseNotes(text: string): CaptureNotes {
  const parsed = captureNotesSchema.safeParse(parseObject(text));
  if (!parsed.success) throw new DamagedDocument('notes.json: not valid', 'Repair it, or move it out of the folder.');
  return parsed.data;
}

export function damagedCapture(id: string, error: unknown): DamagedCapture {
  if (error instanceof DamagedDocument) return { id, message: error.message, remedy: error.remedy };
  if (isMissing(error)) return { id, message: 'capture.json is missing', remedy: REPAIR };
  return { id, message: error instanceof Error ? error.message : String(error), remedy: REPAIR };
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DamagedDocument(`capture.json: ${error instanceof Error ? error.message : 'no JSON'}`, REPAIR);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DamagedDocument('capture.json: no JSON object', REPAIR);
  }
  return value as Record<string, unknown>;
}
