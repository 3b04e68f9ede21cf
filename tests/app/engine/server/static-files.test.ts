import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStaticFiles } from '#app/engine/http/static-files.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'flamebench-static-'));
});

afterEach(() => rm(root, { recursive: true }));

test('concurrent requests find their files, including the first ones', async () => {
  await mkdir(path.join(root, 'assets'));
  await writeFile(path.join(root, 'index.html'), '<!doctype html>');
  await writeFile(path.join(root, 'assets', 'worker.js'), 'self.close();');
  const files = createStaticFiles(root);
  const opened = await Promise.all(['/assets/worker.js', '/', '/assets/none.js'].map((url) => files.open(url)));
  expect(opened.map((one) => one?.contentType)).toEqual([
    'text/javascript; charset=utf-8',
    'text/html; charset=utf-8',
    undefined,
  ]);
  await Promise.all(opened.flatMap((one) => (one === null ? [] : [one.file.close()])));
});
