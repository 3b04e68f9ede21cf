import { extname } from 'node:path';
import { EngineFailure } from '../../failure.ts';

/** Files in a capture's folder. */
export const DOCUMENT_FILE = 'capture.json';
export const NOTES_FILE = 'notes.json';
/** The profile in native form, created when the capture is first opened; it may be deleted at any time. */
export const CACHE_FILE = 'profile.flamebench';
/** Reserved space for completing a recording that filled the disk. */
export const RESERVE_FILE = 'reserve';
/** Names of locks; see folder-lock.ts. */
export const WRITER_LOCK = 'writer';
export const EDIT_LOCK = 'edit';

/** Folders of the library that are not captures. */
export const EXPERIMENTS_FOLDER = '.experiments';
export const LOADS_FOLDER = '.loads';
export const TRASH_FOLDER = '.trash';
export const TEMP_FOLDER = '.tmp';
/** Marks a folder as a library; see library-marker.ts. */
export const MARKER_FILE = '.flamebench-library';
/** When a folder of the trash was moved there, in that folder. No raw file's name begins with a dot. */
export const TRASHED_FILE = '.trashed.json';
/** A file whose modification time is that of the library's last change, for other processes. */
export const CHANGED_FILE = '.changed';
/** What lists read instead of thousands of documents; see index.ts. */
export const INDEX_FILE = '.index';

/** {@link newCaptureId} with random hex digits; other IDs come from bundles and by hand. */
const GENERATED = String.raw`\d{8}-\d{6}-[0-9a-f]{6,16}`;
const GENERATED_PATTERN = new RegExp(`^${GENERATED}$`);
/** What is under construction or being discarded in the temp folder; see staging.ts. */
const STAGED_PATTERN = new RegExp(`^(?:(?:discarded-|experiment-|load-)?${GENERATED}|(?:import|cache)-[0-9a-f]{16})$`);
const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,79}$/;
const RAW_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;
/**
 * Flamebench's own names, in every case and with a dot at the end, which some file systems ignore, and the temporary
 * names of earlier versions.
 */
const OWN_NAMES = /^(?:capture\.json|notes\.json|profile\.flamebench|reserve|(?:writer|edit)\.lock)(?:\.new)?\.*$/i;

export const isCaptureId = (id: string): boolean => ID_PATTERN.test(id);
/** Returns whether Flamebench generated the ID, so that in a library its folder is Flamebench's whatever it contains. */
export const isGeneratedId = (id: string): boolean => GENERATED_PATTERN.test(id);
export const isStagedName = (name: string): boolean => STAGED_PATTERN.test(name);

/**
 * Returns whether a raw file may have this name: no separators, no leading dot, and not one of Flamebench's own names.
 */
export function isRawFileName(name: string): boolean {
  return RAW_NAME_PATTERN.test(name) && !OWN_NAMES.test(name) && !/\.lock\./i.test(name);
}

export function checkRawFileName(name: string): void {
  if (!isRawFileName(name)) {
    throw new EngineFailure('invalid-arguments', `${JSON.stringify(name)} can't be the name of a capture's file.`);
  }
}

/**
 * Returns an ID such as `20261121-104501-3f9c2a`, which sorts by time up to the year 9999 and is readable in a file
 * manager.
 */
export function newCaptureId(now: number, random: string): string {
  const stamp = new Date(now).toISOString().replace(/\..*/, '').replaceAll(/[-+:]/g, '').replace('T', '-');
  return `${stamp}-${random}`;
}

/** Returns an imported file's name in its folder: `raw` with the original extensions, which importers use as a hint. */
export function rawFileName(originalName: string): string {
  const last = extname(originalName);
  const endings = extname(originalName.slice(0, originalName.length - last.length)) + last;
  const name = `raw${endings.replaceAll(/[^A-Za-z0-9._-]/g, '')}`.slice(0, 60);
  return isRawFileName(name) && !name.endsWith('.') ? name : 'raw';
}

/** Returns the capture's name for a file: its name without folders. */
export const displayName = (originalName: string): string => cleanName(originalName.split(/[\\/]/).at(-1) ?? '');

/** Removes control and direction-changing characters; the result has 1 to 300 characters. */
export function cleanName(text: string): string {
  const name = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  return name === '' ? 'unnamed' : Array.from(name).slice(0, 300).join('');
}
