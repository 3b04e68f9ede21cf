import { captureDocumentSchema, type CaptureDocument, type DamagedCapture } from '#core/contract/schemas.ts';
import { redactDocument } from '#core/redact/redact-document.ts';
import { messageOf } from '#core/model/failure.ts';
import { isMissing } from '../../failure.ts';
import { DOCUMENT_FILE, isRawFileName } from './files.ts';
import {
  changedText,
  DamagedDocument,
  parseVersioned,
  refuseInvalid,
  type DocumentKind,
} from '../versioned-document.ts';

export const SCHEMA_VERSION = 1;

const REPAIR =
  'The raw files in its folder are untouched: drop one of them into the window to open it, or repair capture.json.';

/** Version 1 is the first, so there are no upgraders yet. */
const CAPTURE_DOCUMENT: DocumentKind = {
  fileName: DOCUMENT_FILE,
  version: SCHEMA_VERSION,
  upgraders: new Map(),
  repair: REPAIR,
};

/**
 * Parses the text of a `capture.json` and redacts its command lines by the current rules; throws
 * {@link DamagedDocument}.
 */
export const parseDocument = (text: string): CaptureDocument => redactDocument(parseStored(text));

/** Changes the text of a `capture.json`; throws {@link DamagedDocument}. Fields that this version does not know are kept. */
export function changeDocument(
  text: string,
  change: (document: CaptureDocument) => CaptureDocument,
): { readonly document: CaptureDocument; readonly text: string } {
  const stored = parseStored(text);
  const document = change(redactDocument(stored));
  // Compared with what is stored: what the redaction removes is known.
  return { document, text: changedText(CAPTURE_DOCUMENT, text, stored, document) };
}

function parseStored(text: string): CaptureDocument {
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
  return document;
}

export function damagedCapture(id: string, error: unknown): DamagedCapture {
  if (error instanceof DamagedDocument) return { id, message: error.message, remedy: error.remedy };
  if (isMissing(error)) return { id, message: 'capture.json is missing', remedy: REPAIR };
  return { id, message: messageOf(error), remedy: REPAIR };
}
