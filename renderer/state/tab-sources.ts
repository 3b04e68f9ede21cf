import { PATHS } from '#core/contract/contract.ts';
import type { PendingFile } from '#core/contract/contract.ts';
import type { EngineClient } from './engine-client.ts';
import type { TabSource } from './tab-source.ts';

/** A file that the page was handed. */
export function fileSource(file: File): TabSource {
  return {
    fileName: file.name,
    captureId: null,
    readFile: () => Promise.resolve(file),
    open: () => Promise.resolve({ source: { kind: 'file', file }, cache: null, cached: false }),
  };
}

/** A file that the engine knows by its path. A handle works once: `given` first, then new ones. */
export function recentSource(
  engine: EngineClient,
  headers: Readonly<Record<string, string>>,
  recentId: string,
  fileName: string,
  given: PendingFile | null,
): TabSource {
  let unused = given;
  const next = async (): Promise<PendingFile> => {
    const file = unused ?? (await engine.call('recent.open', { id: recentId }));
    unused = null;
    return file;
  };
  return {
    fileName,
    captureId: null,
    readFile: async () => {
      const { handle } = await engine.call('recent.open', { id: recentId });
      const response = await fetch(PATHS.file + handle, { headers });
      if (!response.ok) throw new Error(`${fileName} could not be read from the engine.`);
      return new File([await response.blob()], fileName);
    },
    open: async () => {
      const { handle, size } = await next();
      return {
        source: { kind: 'url', url: PATHS.file + handle, headers, fileName, size },
        cache: null,
        cached: false,
      };
    },
  };
}

/** A capture of the library, by way of its cache where it has one. */
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
