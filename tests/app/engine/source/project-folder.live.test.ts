import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openLibrary } from '#app/engine/library/library.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { createSourceService } from '#app/engine/source/source-service.ts';
import { isWithin, projectFolder } from '#app/engine/source/project-folder.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'project-folder-')));
const home = join(root, 'home');
const project = join(home, 'server');
const file = join(project, 'src', 'deep', 'work.c');
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(() => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(join(project, 'src', 'deep'), { recursive: true });
  writeFileSync(file, 'int work;\n');
});

test('a project is the nearest folder with version control or a build file, else the file’s own', async () => {
  expect(await projectFolder(file, home)).toBe(join(project, 'src', 'deep'));
  writeFileSync(join(project, 'go.mod'), '');
  expect(await projectFolder(file, home)).toBe(project);
});

test('neither the home folder nor one above it is a project', async () => {
  mkdirSync(join(home, '.git'));
  mkdirSync(join(root, '.git'), { recursive: true });
  expect(await projectFolder(file, home)).toBe(join(project, 'src', 'deep'));
  rmSync(join(root, '.git'), { recursive: true });
});

test('a folder whose name begins the same is another one', () => {
  expect(isWithin('/srv/app/main.c', '/srv/app')).toBe(true);
  expect(isWithin('/srv/app2/main.c', '/srv/app')).toBe(false);
  expect(isWithin('/srv/app', '/srv/app')).toBe(true);
});

test('a recording’s source text is shown after one consent per project, which can be withdrawn', async () => {
  mkdirSync(join(project, '.git'));
  const elsewhere = join(home, 'other');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'secret.c'), 'int secret;\n');
  // A name inside of the project may lead out of it.
  const link = join(project, 'link.c');
  symlinkSync(join(elsewhere, 'secret.c'), link);
  const second = join(project, 'src', 'main.c');
  writeFileSync(second, 'int main;\n');
  const names = [file, second, link, join(project, 'gone.c')];
  const text = names.map((name, at) => `\t${at + 1} f${at}+0x1 (/srv/app)\n  ${name}:1\n`).join('');

  const library = await openLibrary(join(home, 'library'), { configPath: join(home, 'config') });
  const writer = await library.create({
    name: 'recorded',
    origin: 'recorded',
    primaryFile: 'raw.perf-script.txt',
    state: 'recording',
    target: { kind: 'local', host: hostname(), kernel: null, arch: null, cpuCount: null },
  });
  await writer.append('raw.perf-script.txt', Buffer.from(`app 7 1.000: 1 cycles:\n${text}\n`));
  const { id } = await writer.finish();
  let folders: string[] = [];
  const local = createLocalTarget();
  const service = createSourceService(library, () => Promise.resolve(local), {
    list: () => folders,
    add: (folder) => {
      folders.push(folder);
      return Promise.resolve();
    },
  });
  const read = (func: number): Promise<unknown> => service.text({ id, func }).then(({ lines }) => lines[0]);
  const asks = { code: 'source-folder-not-allowed', message: expect.stringContaining(project) };
  await expect(read(0)).rejects.toMatchObject(asks);
  await expect(read(3)).rejects.toMatchObject({ code: 'source-missing' });
  expect(await service.allowFolder({ id, func: 0 })).toBe(project);
  expect([await read(0), await read(1)]).toEqual(['int work;', 'int main;']);
  await expect(read(2)).rejects.toMatchObject({
    code: 'source-folder-not-allowed',
    message: expect.stringContaining(elsewhere),
  });
  folders = [];
  await expect(read(0)).rejects.toMatchObject(asks);
  await service.dispose();
  await local.dispose();
  library.close();
});
