import { hostname } from 'node:os';
import type { CaptureDocument, Check } from '#core/contract/schemas.ts';
import { TRUST_CHECK } from '#core/contract/source.ts';
import type { Library } from '../library/library.ts';
import type { Machine } from '../library/read-permissions.ts';

/** Whether files of this machine may be read, and tools run here, for a capture. */
export async function checkReadHere(library: Library, document: CaptureDocument): Promise<Check> {
  const { target } = document;
  if (target === null || target.kind !== 'local' || target.host !== hostname()) {
    const found = `it was recorded on ${target?.host ?? 'another machine'}: the binaries are there`;
    return { id: 'recording', status: 'failed', found, remedy: 'open the capture in Flamebench over there' };
  }
  switch (await library.mayReadHere(document)) {
    case 'recorded':
      return { id: 'recording', status: 'ok', found: 'recorded on this machine', remedy: null };
    case 'confirmed':
      return {
        id: 'recording',
        status: 'warning',
        found: 'it was not recorded by this Flamebench; you trust it, so files that it names are read',
        remedy: null,
      };
    case null:
      return { id: TRUST_CHECK, status: 'failed', found: FROM_ELSEWHERE, remedy: TRUST };
  }
}

/** Whether perf may read the capture's perf.data on a machine; the user's look at the command and the confirmation count as trust. */
export async function checkReadOn(
  library: Library,
  document: CaptureDocument,
  machine: Machine,
): Promise<Check | null> {
  if ((await library.mayReadHere(document, machine)) !== null) return null;
  const found = `it was not recorded by this Flamebench on ${machine.host}: perf opens the files there that the recording names`;
  return { id: TRUST_CHECK, status: 'warning', found, remedy: 'have perf read it only if you trust who made it' };
}

const FROM_ELSEWHERE =
  'it was not recorded by this Flamebench on this machine: whoever made it chose the files that would be read';
const TRUST = 'trust the capture if you know who made it (in a command: --trust)';
