import { captureDocumentSchema, captureNotesSchema } from '#core/contract/schemas.ts';
import type { CaptureDocument, CaptureNotes, DamagedCapture } from '#core/contract/schemas.ts';
import { redactDocument } from '#core/redact/redact-document.ts';
import { isMissing } from '../failure.ts';
import { DOCUMENT_FILE, isRawFileName, NOTES_FILE } from './capture-files.ts';
import { DamagedDocument, parseVersioned, refuseInvalid, type DocumentKind } from './versioned-document.ts';

export const SCHEMA_VERSION = 1;

const REPAIR =
  'The raw files in its folder are untouched: drop one of them into the window to open it, or repair capture.json.';

/** No upgraders yet: 1 is the first version. */
const CAPTURE_DOCUMENT: DocumentKind = {
  fileName: DOCUMENT_FILE,
  version: SCHEMA_VERSION,
  upgraders: new Map(),
  repair: REPAIR,
};

const NOTES_DOCUMENT: DocumentKind = {
  ...CAPTURE_DOCUMENT,
  fileName: NOTES_FILE,
  repair: 'Repair it, or move it out of the folder.',
};

/** Reads the text of a `capture.json`, its command lines redacted by today's rules; throws {@link DamagedDocument}. */
export function parseDocument(text: string): CaptureDocument {
  const parsed = captureDocumentSchema.safeParse(parseVersioned(text, CAPTURE_DOCUMENT));
  if (!parsed.success) refuseInvalid(CAPTURE_DOCUMENT, parsed.error.issues[0]);
  const document = parsed.data;
  const badName = [document.primaryFile, ...document.otherFiles].find((name) => !isRawFileName(name));
  if (badName !== undefined) {
    throw new DamagedDocument(
      `capture.json: ${JSON.stringify(badName)} is not the name of a file in the folder`,
      REPAIR,
    );
  }
  return redactDocument(document);
}

export function parseNotes(text: string): CaptureNotes {
  const parsed = captureNotesSchema.safeParse(parseVersioned(text, NOTES_DOCUMENT));
  if (!parsed.success) refuseInvalid(NOTES_DOCUMENT, parsed.error.issues[0]);
  return parsed.data;
}

export function damagedCapture(id: string, error: unknown): DamagedCapture {
  if (error instanceof DamagedDocument) return { id, message: error.message, remedy: error.remedy };
  if (isMissing(error)) return { id, message: 'capture.json is missing', remedy: REPAIR };
  return { id, message: error instanceof Error ? error.message : String(error), remedy: REPAIR };
}
