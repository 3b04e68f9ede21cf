import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openLibrary } from '#app/engine/library/library.ts';
import { inTerminal } from '../../../support/in-terminal.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../app/cli/flamebench.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cli-program-'));
const env = { ...process.env, FLAMEBENCH_CONFIG: join(folder, 'config') };
const library = join(folder, 'library');
const recordShell = (script: string): string[] => [
  LAUNCHER,
  'record',
  'perf',
  '--rate',
  '199',
  '--library',
  library,
  '--',
  'sh',
  '-c',
  script,
];
afterAll(() => rmSync(folder, { recursive: true }));

test('the program has the terminal: it reads keys, and Ctrl-C reaches it', async () => {
  const script = `trap 'echo caught; exit 5' INT; read -r key </dev/tty; echo "key $key"; while :; do :; done`;
  const { pty, ended, said, shown } = inTerminal(env, recordShell(script));
  await said(/-p \$!/);
  pty.write('x\r');
  await said(/key x/);
  pty.write('\u0003');
  await said(/caught/);
  expect(await ended, shown()).toBe(5);
  expect(shown()).toMatch(/Ctrl-C went to the program/);
  const kept = await openLibrary(library);
  const { captures } = await kept.list();
  kept.close();
  expect(captures).toMatchObject([{ state: 'finished', incomplete: false }]);
});

test('Ctrl-C twice stops the recording of a program that ignores it', async () => {
  const { pty, ended, said, shown } = inTerminal(env, recordShell(`trap '' INT; echo ready; while :; do :; done`));
  await said(/^ready/m);
  pty.write('\u0003');
  await said(/Ctrl-C went to the program/);
  // A faster repeat counts as the same key press.
  await new Promise((resolve) => setTimeout(resolve, 300));
  pty.write('\u0003');
  expect(await ended, shown()).toBe(143);
  expect(shown()).toMatch(/samples of /);
});
