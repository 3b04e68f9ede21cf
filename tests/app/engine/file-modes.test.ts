import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeNative } from '#core/model/native/write.ts';
import { openUserConfig } from '#app/engine/config/user-config.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { openJournal } from '#app/engine/targets/journal.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { openOutput } from '#app/cli/output/output-file.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { chunksOf } from './support/bytes.ts';
import { tempFolder } from './support/temp-folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../../app/cli/flamebench.mjs', import.meta.url));

let umask = 0;
beforeEach(() => {
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
});

/**
 * Returns the files and folders below that others can access, with their modes. What is in a closed folder is
 * inaccessible to them.
 */
function open(folder: string, isInCache = false): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const { mode } = statSync(path);
    const isClosed = (mode & 0o077) === 0;
    const own = isClosed || isInCache ? [] : [`${path} ${(mode & 0o777).toString(8)}`];
    return entry.isDirectory() ? [...own, ...open(path, isInCache || entry.name === 'compile-cache')] : own;
  });
}

async function* native(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.concat(writeNative(profileFromText('main;work 3')));
}

test('the library, its caches and the configuration are private', async () => {
  const folder = tempFolder();
  const path = join(folder, 'data', 'library');
  const library = await openLibrary(path);
  const { id } = await library.importFile('a.folded', chunksOf('main;work 3\n'));
  expect(await library.saveCache(id, native())).toBe(true);
  await library.rename(id, 'b');
  const experiments = await openExperiments(library);
  const { experiment } = await experiments.create({ name: 'e', before: [{ id }], after: [] });
  expect(experiment.id).not.toBe('');
  const config = join(folder, 'config', 'flamebench');
  mkdirSync(join(folder, 'config'), { mode: 0o700 });
  mkdirSync(config, { mode: 0o700 });
  writeFileSync(join(config, 'settings.json'), '{', { mode: 0o644 });
  const user = await openUserConfig(config, path);
  await user.recent.add(['/a.folded']);
  await user.close();
  const target = createLocalTarget();
  const journal = openJournal(config);
  await journal.begin('local', target);
  const temporary = await target.makeTempDir();
  await target.writeFile(join(temporary, 'script'), new Uint8Array(1));
  expect(statSync(temporary).mode & 0o777).toBe(0o700);
  expect(statSync(join(temporary, 'script')).mode & 0o777).toBe(0o600);
  const settings = join(config, 'settings.json');
  chmodSync(settings, 0o600);
  expect(open(folder)).toEqual([]);
  expect(readdirSync(config).some((name) => name.startsWith('settings.kept-'))).toBe(true);
  await target.dispose();
  library.close();
});

test('the command’s caches and recordings are private too', () => {
  const folder = tempFolder();
  const home = join(folder, 'home');
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: folder,
    FLAMEBENCH_LIBRARY: join(folder, 'library'),
    FLAMEBENCH_CONFIG: join(folder, 'config'),
  };
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(folder, 'a.folded'), 'main;work 3\n', { mode: 0o600 });
  const run = (...args: string[]): void => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, LAUNCHER, ...args],
      {
        env,
        encoding: 'utf8',
      },
    );
    expect([status, stderr]).toEqual([0, expect.any(String)]);
  };
  run('top', join(folder, 'a.folded'));
  run('targets', 'add', 'ssh://nobody@127.0.0.1:1', 'nobody');
  const cache = join(home, '.cache', 'flamebench', 'compile-cache');
  expect(existsSync(cache)).toBe(true);
  expect(readdirSync(cache)).not.toEqual([]);
  expect(open(folder)).toEqual([]);
});

test('an output file gets the usual permissions with its final name, and not before', () => {
  const folder = tempFolder();
  process.umask(0o027);
  const path = join(folder, 'out.folded');
  const output = openOutput(path);
  output.write(new TextEncoder().encode('main 1\n'));
  const [temporary = ''] = readdirSync(folder);
  expect(statSync(join(folder, temporary)).mode & 0o777).toBe(0o600);
  output.commit();
  expect(statSync(path).mode & 0o777).toBe(0o640);
  chmodSync(path, 0o604);
  const again = openOutput(path);
  again.write(new TextEncoder().encode('main 2\n'));
  again.commit();
  expect(statSync(path).mode & 0o777).toBe(0o604);
  expect(readFileSync(path, 'utf8')).toBe('main 2\n');
});
