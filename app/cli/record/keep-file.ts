import { readGivenFile } from '#app/engine/files/read-given-file.ts';
import { keepGiven, MAX_SENT_BYTES, type SentFile } from '#collectors/kept-files.ts';
import { inputError } from '../errors.ts';

/** Keeps what a file that the user gives has of a tool's files; throws if it has none. `wanted` names what to give. */
export async function keepFile(path: string, files: readonly SentFile[], tool: string, wanted: string): Promise<void> {
  const kept = await keepGiven(readGivenFile(path, MAX_SENT_BYTES), files);
  if (kept.length === 0) throw inputError(`${path} is not the ${tool} that is sent`, `give the ${wanted}`);
}
