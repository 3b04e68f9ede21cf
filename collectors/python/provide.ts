import { basename } from 'node:path';
import { fetchBody, FETCH_LIMITS } from '../fetch/http-fetch.ts';
import { contentOf, keep, keptPath, MAX_SENT_BYTES, readKept } from '../kept-files.ts';
import { RefusedRecording, toFailure } from '../recording-failure.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import { SENT_VERSION, type PySpyBuild } from './builds.ts';

/** Returns the program of a build: the kept one, or that of the wheel, which is fetched if `mayFetch`, and then kept. */
export async function provideProgram(build: PySpyBuild, mayFetch: boolean, signal: AbortSignal): Promise<Uint8Array> {
  const kept = await readKept(build);
  if (kept !== null) return kept;
  if (!mayFetch)
    throw new RefusedRecording(
      'other-py-spy',
      `${keptPath(build)} was deleted or changed`,
      'give py-spy again: --py-spy FILE',
    );
  const program = contentOf(await fetchWheel(build, signal), build);
  if (program === null)
    throw new RefusedRecording(
      'other-py-spy',
      `what ${new URL(build.url).host} sent is not py-spy ${SENT_VERSION}: its SHA-256 is wrong`,
      'find out what changes downloads, or install py-spy there: pipx install py-spy',
    );
  // Only the next recording would fetch it again.
  await keep(program, build).catch(() => undefined);
  return program;
}

async function fetchWheel({ url }: PySpyBuild, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const onChunk = (chunk: Uint8Array): Promise<void> => Promise.resolve(void chunks.push(chunk.slice()));
  const limits = { ...FETCH_LIMITS, bodyBytes: MAX_SENT_BYTES };
  try {
    await fetchBody({ url, options: {}, signal, limits, onChunk });
  } catch (error) {
    signal.throwIfAborted();
    const remedy = `fetch it where you can, and give it: --py-spy ${basename(url)}`;
    throw new RefusedRecording('py-spy-not-fetched', `py-spy was not fetched: ${toFailure(error).message}`, remedy);
  }
  return joinBytes(chunks);
}
