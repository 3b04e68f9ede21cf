import type { PendingFile } from '#core/contract/contract.ts';
import type { FleetAnswer } from '#core/contract/fleet/methods.ts';
import type { FleetSource } from '#core/contract/fleet/replicate.ts';
import { PATHS } from '#core/contract/paths.ts';
import type { EngineClient } from '../engine-client.ts';
import type { TabSource } from '../tab-source.ts';
import type { EngineAndStore } from '../workbench-state.ts';

/** Returns the source of a file that the page received. */
export function pageFileSource(file: File): TabSource {
  return {
    fileName: file.name,
    captureId: null,
    readFile: () => Promise.resolve(file),
    open: () => Promise.resolve({ source: { kind: 'file', file }, cache: null, cached: false }),
  };
}

/** Returns the source of a file that the engine knows by its path. */
export function recentSource(
  engine: EngineClient,
  headers: Readonly<Record<string, string>>,
  recentId: string,
  fileName: string,
  given: PendingFile | null,
): TabSource {
  return handleSource(headers, fileName, given, () => engine.call('recent.open', { id: recentId }));
}

type Handle = Pick<PendingFile, 'handle' | 'size'>;

/** Returns the source of a file whose handles work once: `given`, then those that `ask` resolves with. */
function handleSource(
  headers: Readonly<Record<string, string>>,
  fileName: string,
  given: Handle | null,
  ask: () => Promise<Handle>,
): TabSource {
  let unused = given;
  const next = async (): Promise<Handle> => {
    const file = unused ?? (await ask());
    unused = null;
    return file;
  };
  return {
    fileName,
    captureId: null,
    readFile: async () => {
      const response = await fetch(PATHS.file + (await next()).handle, { headers });
      if (!response.ok) throw new Error(`${fileName} could not be read from the engine.`);
      return new File([await response.blob()], fileName);
    },
    open: async () => {
      const { handle, size } = await next();
      const url = PATHS.file + handle;
      return { source: { kind: 'url', url, headers, fileName, size }, cache: null, cached: false };
    },
  };
}

/** Returns the source of a capture of the library, through its cache if it has one. */
export function captureSource(
  engine: EngineClient,
  headers: Readonly<Record<string, string>>,
  captureId: string,
  fileName: string,
): TabSource {
  return {
    fileName,
    captureId,
    readFile: null,
    open: async (ignoreCache) => {
      const answer = await engine.call('library.open', { id: captureId, ignoreCache });
      return {
        source: {
          kind: 'url',
          url: PATHS.file + answer.handle,
          headers,
          fileName: answer.fileName,
          size: answer.size,
        },
        cache: answer.cached ? null : { url: PATHS.cache + captureId, headers },
        cached: answer.cached,
      };
    },
  };
}

/** Returns the source of merged captures of a fleet, which the engine merges again at each reading; `given` is used first. */
export function fleetSource(
  engine: EngineClient,
  headers: Readonly<Record<string, string>>,
  merged: FleetSource,
  fileName: string,
  given: Handle | null,
): TabSource {
  return handleSource(
    headers,
    fileName,
    given,
    async () => (await engine.call('fleet', { method: 'merge', params: { source: merged } })) as FleetAnswer<'merge'>,
  );
}

/** Returns the name of the file that is opened for a capture of the library. */
export async function primaryFile({ engine, store }: EngineAndStore, captureId: string): Promise<string> {
  const known = store.get().captures?.find(({ id }) => id === captureId);
  return (known ?? (await engine.call('library.get', { id: captureId }))).primaryFile;
}
