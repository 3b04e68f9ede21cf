import { hostname } from 'node:os';
import type { CaptureDocument, Check } from '#core/contract/schemas.ts';
import { TRUST_CHECK } from '#core/contract/source.ts';
import type { Library } from '../library/library.ts';
import type { Machine } from '../library/read-permissions.ts';

/** Checks whether this machine's files may be read, and tools run here, for a capture. */
export async function checkReadHere(library: Library, document: CaptureDocument): Promise<Check> {
  const { target } = document;
  if (target !== null && target.kind === 'local' && target.host === hostname()) return checkTrust(library, document);
  const found = `it was recorded on ${target?.host ?? 'another machine'}: the binaries are there`;
  return { id: 'recording', status: 'failed', found, remedy: 'open the capture in Flamebench on that machine' };
}

/** Checks whether tools that open the files named by a capture may run on a machine (by default, this one). */
export async function checkTrust(library: Library, document: CaptureDocument, machine?: Machine): Promise<Check> {
  const where = machine === undefined || machine.kind === 'local' ? 'this machine' : machine.host;
  switch (await library.mayReadHere(document, machine)) {
    case 'recorded':
      return { id: 'recording', status: 'ok', found: `recorded on ${where}`, remedy: null };
    case 'confirmed':
      return {
        id: 'recording',
        status: 'warning',
        found: 'not recorded by this Flamebench; you trust it, so the files it names are read',
        remedy: null,
      };
    case null:
      return {
        id: TRUST_CHECK,
        status: 'failed',
        found: `it was not recorded by this Flamebench on ${where}: whoever made it chose the files that would be read`,
        remedy: TRUST,
      };
  }
}

const TRUST = 'trust the capture if you know who made it (command line: --trust)';
