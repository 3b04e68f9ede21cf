import type { PartReader } from '#core/import/importer.ts';
import { MIN_SPLIT_BYTES } from '#core/import/split-input.ts';
import type { PartJob, PartMessage } from './part-messages.ts';
import type { OpenSource } from './protocol.ts';

/** The part of `Worker` that the reader uses. */
export interface PartPort {
  postMessage(message: PartJob): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<PartMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/**
 * With two, a second worker makes nothing faster: the other processor compiles what the first one runs. Measured on 221 MB, both halves took as
 * long as the whole.
 */
const MIN_PROCESSORS = 3;

/**
 * Reads a part of `source` in a worker of its own; null where the source is small or there are too few processors. The worker starts at
 * once, so that it is there when it is known that the source can be split.
 */
export function createPartReader(source: OpenSource, processors: number, start: () => PartPort): PartReader | null {
  const size = source.kind === 'file' ? source.file.size : source.size;
  if (processors < MIN_PROCESSORS || size === null || size < MIN_SPLIT_BYTES) return null;
  const worker = start();
  let giveUp = (): void => undefined;
  return {
    read: (importer, from, to, onProgress) =>
      new Promise((resolve) => {
        giveUp = () => {
          resolve(null);
        };
        worker.onerror = giveUp;
        worker.onmessage = ({ data }) => {
          if ('part' in data) resolve(data.part);
          else onProgress(data.readBytes);
        };
        worker.postMessage({ source, importer, start: from, end: to });
      }),
    stop: () => {
      worker.terminate();
      giveUp();
    },
  };
}
