import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run-command.ts';

/** Files that the desktop opens with Flamebench. */
export interface FileAssociation {
  /** Endings without their first dot. */
  readonly extensions: readonly string[];
  readonly description: string;
  readonly mimeType: string;
}

const ENTRY = /^ {2}- ext: \[?([^\]\n]+)\]?\n {4}name: .*\n {4}description: (.*)\n {4}mimeType: (.*)$/gm;

/** Returns the associations of electron-builder.yml. */
export function fileAssociations(): FileAssociation[] {
  const config = readFileSync(path.join(root, 'electron-builder.yml'), 'utf8');
  return [...config.matchAll(ENTRY)].map(([, list = '', description = '', mimeType = '']) => ({
    extensions: list.split(/,\s*/),
    description,
    mimeType,
  }));
}
