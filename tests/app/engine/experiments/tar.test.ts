import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTar, TAR_BLOCK, TAR_END, TarError, tarHeader, tarPadding } from '#app/engine/experiments/tar.ts';
import { textOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const file = (name: string, text: string): Uint8Array[] => [
  tarHeader(name, text.length, 1_000_000),
  Buffer.from(text),
  tarPadding(text.length),
];

const tar = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat([...parts, TAR_END]);

/** Yields the bytes in chunks that end anywhere. */
async function* inChunks(bytes: Uint8Array, size = 300): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

async function entriesOf(bytes: Uint8Array): Promise<(readonly [name: string, type: string, text: string])[]> {
  const entries = [];
  for await (const { name, type, body } of readTar(inChunks(bytes))) {
    entries.push([name, type, await textOf(body)] as const);
  }
  return entries;
}

const LONG = `captures/${'c'.repeat(80)}/${'r'.repeat(100)}`;

test('reads back what it has written, with bodies of all sizes and long names', async () => {
  const texts = ['', 'a', 'b'.repeat(TAR_BLOCK), 'c'.repeat(TAR_BLOCK + 1), 'd'.repeat(5000)];
  const bytes = tar(...texts.flatMap((text, at) => file(`file-${at}`, text)), ...file(LONG, 'long'));
  expect(await entriesOf(bytes)).toEqual([...texts.map((text, at) => [`file-${at}`, '0', text]), [LONG, '0', 'long']]);
});

test('skips bodies that are not read', async () => {
  const names = [];
  for await (const { name } of readTar(inChunks(tar(...file('one', 'x'.repeat(2000)), ...file('two', 'y'))))) {
    names.push(name);
  }
  expect(names).toEqual(['one', 'two']);
});

test('is unpacked by tar, and reads what tar has packed', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'ours.tar'), tar(...file('experiment.json', '{}'), ...file(LONG, 'long')));
  execFileSync('tar', ['xf', 'ours.tar'], { cwd: folder });
  expect(readFileSync(join(folder, LONG), 'utf8')).toBe('long');
  mkdirSync(join(folder, 'captures', 'two'));
  writeFileSync(join(folder, 'captures', 'two', 'raw'), 'z'.repeat(700));
  execFileSync('tar', ['cf', 'theirs.tar', 'experiment.json', 'captures/two'], { cwd: folder });
  expect(await entriesOf(readFileSync(join(folder, 'theirs.tar')))).toEqual([
    ['experiment.json', '0', '{}'],
    ['captures/two/', '5', ''],
    ['captures/two/raw', '0', 'z'.repeat(700)],
  ]);
});

test('writes a size beyond 8 GiB as others read it', async () => {
  const size = 9 * 2 ** 30 + 5;
  const entries = readTar(inChunks(tarHeader('raw', size, 0)));
  expect((await entries.next()).value).toMatchObject({ name: 'raw', size });
  const folder = tempFolder();
  writeFileSync(join(folder, 'large.tar'), tar(tarHeader('raw', 2 ** 33, 0)));
  const listed = execFileSync('sh', ['-c', 'tar tvf large.tar 2>/dev/null || true'], { cwd: folder, encoding: 'utf8' });
  expect(listed).toContain(String(2 ** 33));
});

test('refuses files that are not tar files', async () => {
  const whole = tar(...file('one', 'x'.repeat(2000)));
  const flipped = Buffer.from(whole);
  flipped[3]! ^= 1;
  const noSize = tarHeader('one', 1, 0);
  Buffer.from(noSize.buffer).write('not octal', 124);
  for (const [bytes, message] of [
    [Buffer.alloc(0), 'it is truncated'],
    [Buffer.from('no tar at all'), 'it is truncated'],
    [Buffer.alloc(TAR_BLOCK, 1), 'a header is damaged'],
    [flipped, 'a header is damaged'],
    [noSize, 'a header is damaged'],
    [whole.subarray(0, 1000), 'it is truncated'],
    [whole.subarray(0, whole.length - TAR_END.length), 'it is truncated'],
    [Buffer.concat([whole, Buffer.alloc(8 << 20)]), 'data follows its end'],
  ] as const) {
    await expect(entriesOf(bytes)).rejects.toThrow(new TarError(message));
  }
});

test('refuses a name that does not fit in a header', () => {
  expect(() => tarHeader('x'.repeat(101), 1, 0)).toThrow(TarError);
  expect(() => tarHeader(`${'x'.repeat(156)}/y`, 1, 0)).toThrow(TarError);
});
