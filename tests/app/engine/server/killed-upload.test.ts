import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { ended, printed, startChild } from '../support/child.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { sendRequest } from '../support/test-engine.ts';

test.each([1, 4, 9])(
  'every upload that was acknowledged is whole after kill -9 of the engine, %i of them',
  { timeout: 180_000 },
  async (enough) => {
    const folder = tempFolder();
    const child = startChild('serve-library.ts', [folder]);
    const url = new URL((await printed(child, (text) => text.endsWith('\n'))).trim());
    const port = Number(url.port);
    const headers = { host: url.host, origin: url.origin };
    const fragmentToken = new URLSearchParams(url.hash.slice(1)).get('token');
    const session = await sendRequest(port, PATHS.session, {
      method: 'POST',
      headers,
      body: JSON.stringify({ fragmentToken }),
    });
    const { sessionToken } = JSON.parse(session.text) as { sessionToken: string };

    const bodyOf = (index: number): string => `main;work${index} 1\n`.repeat(20_000);
    const acknowledged = new Map<string, number>();
    const exit = ended(child);
    const uploads = Array.from({ length: 12 }, async (_, index) => {
      // On a busy machine a request may be refused because it arrives too slowly; then it is sent again.
      while (!child.killed) {
        const answer = await sendRequest(port, `${PATHS.upload}?name=${index}.folded`, {
          method: 'POST',
          headers: { ...headers, [TOKEN_HEADER]: sessionToken },
          body: bodyOf(index),
        }).catch(() => null);
        const { result } = JSON.parse(answer?.text ?? '{}') as { result?: { id: string } };
        if (result === undefined) continue;
        acknowledged.set(result.id, index);
        if (acknowledged.size === enough) child.kill('SIGKILL');
        return;
      }
    });
    await Promise.allSettled(uploads);
    await exit;
    expect(acknowledged.size).toBeGreaterThanOrEqual(enough);

    const library = await openLibrary(join(folder, 'library'));
    const { captures, damaged } = await library.list('');
    expect(damaged).toEqual([]);
    const kept = new Map<string, CaptureDocument>(captures.map((capture) => [capture.id, capture]));
    for (const id of acknowledged.keys()) expect(kept.get(id)).toMatchObject({ state: 'finished', incomplete: false });
    // An upload whose acknowledgement was lost is whole, too, or marked.
    for (const { id, primaryFile } of captures.filter(({ incomplete }) => !incomplete)) {
      const text = readFileSync(join(folder, 'library', id, primaryFile), 'utf8');
      const index = acknowledged.get(id) ?? Number(/^main;work(\d+)/.exec(text)?.[1]);
      expect(text === bodyOf(index)).toBe(true);
    }
    library.close();
  },
);
