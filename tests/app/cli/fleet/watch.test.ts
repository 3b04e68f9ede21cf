import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLibrary } from '#app/engine/library/library.ts';
import { callCli } from '../../../support/call-cli.ts';
import { addToLibrary, startCli } from '../../../support/start-cli.ts';

test('--watch pushes what the library gets, and keeps captures waiting while the fleet is in use', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'fleet.duckdb');
  const library = await openLibrary(path.join(folder, 'library'));
  onTestFinished(() => library.close());
  await addToLibrary(library, 'earlier.folded', 'main 1\n');

  const watch = startCli(['fleet', 'push', '--watch', '--to', file, '--library', library.path, '--host', 'web-1']);
  await watch.says('watching ');
  await addToLibrary(library, 'first.folded', 'main;a 2\n');
  await watch.says('added, 2 samples');

  // Another process writes to the fleet, once the watch has closed it.
  const instance = await vi.waitFor(() => DuckDBInstance.create(file), { timeout: 20_000 });
  const { id } = await addToLibrary(library, 'second.folded', 'main;b 3\n');
  await watch.says('is in use by another process; ');
  instance.closeSync();
  await watch.says(`${id}: added, 3 samples`);

  watch.child.kill('SIGINT');
  expect(await watch.ended).toMatchObject({ code: 0, stdout: `${file}: 2 captures pushed\n` });
  const listed = await callCli(['fleet', 'list', '--captures', '--json', '--in', file]);
  const { captures } = JSON.parse(listed.stdout) as { captures: { name: string }[] };
  expect(captures.map(({ name }) => name)).toEqual(['first.folded', 'second.folded']);
});

test('a watch that ends while captures wait names them, and one without a fleet ends at once', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'fleet.duckdb');
  const library = await openLibrary(path.join(folder, 'library'));
  onTestFinished(() => library.close());
  const watch = startCli(['fleet', 'push', '--watch', '--to', file, '--library', library.path]);
  await watch.says('watching ');
  const instance = await DuckDBInstance.create(file);
  onTestFinished(() => instance.closeSync());
  const { id } = await addToLibrary(library, 'one.folded', 'main 1\n');
  await watch.says('1 capture waiting');
  watch.child.kill('SIGINT');
  const { stderr } = await watch.ended;
  expect(stderr).toContain(`1 capture not pushed: flamebench fleet push ${id}`);
  const refused = await callCli(['fleet', 'push', '--watch', '--to', folder, '--library', library.path]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('is not a fleet of Flamebench');
});
