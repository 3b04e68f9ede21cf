import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { rollUp } from '../../../support/profile-rollup.ts';

checkImport({ path: 'gecko/processed.profile.json', format: 'gecko', isText: true });
checkImport({ path: 'gecko/processed-70.profile.json', format: 'gecko', isText: true });
checkImport({ path: 'gecko/raw.json', format: 'gecko', isText: true });

const read = (json: unknown): ReturnType<typeof importProfile> =>
  importProfile(byteSource(typeof json === 'string' ? json : JSON.stringify(json), 'input.json'));

describe('profiles of Firefox', () => {
  const thread = (change: object): object => ({
    name: 'main',
    stringArray: ['f'],
    frameTable: { func: [0] },
    funcTable: { name: [0] },
    stackTable: { prefix: [null], frame: [0] },
    samples: { stack: [0], time: [1], weight: null, weightType: 'samples' },
    ...change,
  });
  const file = (change: object): object => ({ meta: { processType: 0 }, threads: [thread(change)] });

  it.each([
    ['a stack that does not exist', { samples: { stack: [3], time: [1] } }, 'samples.stack[0] of main is 3, of 1 rows'],
    [
      'a stack within itself',
      { stackTable: { prefix: [0], frame: [0] } },
      'stackTable.prefix[0] of main is 0, of 0 rows',
    ],
    ['a frame that is not there', { stackTable: { prefix: [null], frame: [9] } }, 'is 9, of 1 rows'],
    ['samples that are not a table', { samples: [] }, 'threads[0].samples is not an object'],
  ])('refuse %s', async (_, change, message) => {
    await expect(read(file(change))).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining(message) as string,
    });
  });

  it('have the same callers and modules in versions 65 and 70', async () => {
    const [old, current] = await Promise.all(
      [65, 70].map((version) => {
        const path = `../../../fixtures/import/gecko/processed-${version}.profile.json`;
        return importProfile(byteSource(readFileSync(join(import.meta.dirname, path)), 'a.json'));
      }),
    );
    const { total, self } = rollUp(current!, 0);
    expect([total.get('main'), self.get('hot'), self.get('cold')]).toEqual([9, 5, 4]);
    expect(rollUp(old!, 0)).toEqual(rollUp(current!, 0));
    expect(old!.strings).toContain('app');
    for (const { functions, strings } of [old!, current!]) {
      expect([...functions.module].map((module) => strings[module])).toEqual(['app', 'app', 'app']);
    }
  });

  it('refuse a caller that lies before the first stack', async () => {
    await expect(read(file({ stackTable: { prefixOffset: [1], frame: [0] } }))).rejects.toThrow(/prefix\[0\] of main/);
  });

  it.each([
    ['a table', (libs: object): unknown => libs],
    ['a text', JSON.stringify],
  ])('name the library of an address by the process of the thread, listed as %s', async (_, libsAs) => {
    const raw = (name: string, change: object = {}): object => ({
      meta: { processType: 0, version: 36 },
      libs: libsAs([
        { name: 'other', start: 0x9000, end: 0xa000 },
        { name: `/usr/lib/${name}`, start: 0x1000, end: 0x2000, offset: 0x40 },
      ]),
      threads: [
        {
          name: 'main',
          stringTable: ['0x1010', '0x2000', 'f (a.js:3:9)[5]'],
          frameTable: { schema: { location: 0 }, data: [[0], [1], [2]] },
          stackTable: {
            schema: { prefix: 0, frame: 1 },
            data: [
              [null, 0],
              [0, 1],
              [1, 2],
            ],
          },
          samples: { schema: { stack: 0, time: 1 }, data: [[2, 1]] },
        },
      ],
      ...change,
    });
    const { functions, frames, strings, diagnostics } = await read(raw('parent', { processes: [raw('content')] }));
    expect([...functions.module].map((row) => strings[row])).toEqual(['parent', '', '', 'content']);
    expect([0, 1, 3].map((row) => frames.address![row])).toEqual([0x50n, 0x2000n, 0x50n]);
    expect([strings[functions.name[2]!], strings[functions.file[2]!], functions.line[2]]).toEqual(['f', 'a.js', 3]);
    expect(diagnostics).toEqual([]);
  });

  it('put the processes of a recording on one clock, by their starts', async () => {
    const { threads } = file({}) as { threads: unknown };
    const process = (startTime: number | undefined, change: object = {}): object => ({
      meta: { processType: 0, startTime },
      threads,
      ...change,
    });
    const [inner, asText] = [process(4_000), JSON.stringify(process(2_500))];
    const processes = [process(3_000, { processes: [inner] }), process(undefined)];
    const profile = await read(process(1_000, { processes, threads: [thread({}), asText] }));
    expect([...profile.samples.time!]).toEqual([1e6, 1_501e6, 2_001e6, 3_001e6, 1e6]);
    expect(profile.metadata.startTime).toBe(1_000_000_000n);
  });

  it('refuse another process’s text that is not JSON, with the position', async () => {
    await expect(read({ ...file({}), threads: ['{"meta":{} '] })).rejects.toMatchObject({
      failure: 'malformed',
      message: 'threads[0]: the JSON text is truncated, at byte 11 of it',
    });
  });

  it('refuse weights of an unknown type', async () => {
    const samples = { stack: [0], time: [1], weightType: 'joules' };
    await expect(read(file({ samples }))).rejects.toMatchObject({ failure: 'unsupported' });
  });
});
