import { importPart } from '#core/import/import-part.ts';
import { buffersOfPart } from '#core/import/perf-script/part.ts';
import { byteSource } from './open-source.ts';
import type { PartJob, PartMessage } from './part-messages.ts';

function post(message: PartMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

async function read({ source, importer, start, end }: PartJob): Promise<void> {
  const { range } = byteSource(source);
  const part =
    range === undefined
      ? null
      : await importPart(importer, end - start, range(start, end), (readBytes) => {
          post({ readBytes });
        });
  post({ part }, part === null ? [] : buffersOfPart(part));
}

/** Reads the second half of a large source, beside the profile's own worker. That one ends it. */
export function servePart(): void {
  self.onmessage = ({ data }: MessageEvent<PartJob>) => {
    read(data).catch(() => {
      post({ part: null });
    });
  };
}
