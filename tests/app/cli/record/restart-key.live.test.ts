import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openLibrary } from '#app/engine/library/library.ts';
import { inTerminal } from '../../../support/in-terminal.ts';
import { endStartedProcesses, startBusy } from '../../../support/busy-process.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../app/cli/flamebench.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cli-restart-'));
const library = join(folder, 'library');
const env = { ...process.env, FLAMEBENCH_CONFIG: join(folder, 'config') };
const args = (...words: string[]): string[] => [LAUNCHER, 'record', 'perf', '--rate', '199', ...words];

endStartedProcesses();
afterAll(() => rmSync(folder, { recursive: true }));

/** The shell that the tests keep busy is built without frame pointers. */
test('a key restarts a recording of truncated stacks with DWARF; Ctrl-C ends it and keeps the data', async () => {
  const { pty, ended, said, shown } = inTerminal(env, args('--pid', String(startBusy().pid), '--library', library));
  await said(/of the stacks are [a-z]+.*Press d: Restart with DWARF\. The recording so far is discarded/s);
  pty.write('xd');
  await said(/--call-graph dwarf.*recording · [\d.]+ s · (?:[3-9]\d|\d{3,}) samples/s);
  pty.write('\u0003');
  expect(await ended, shown()).toBe(0);
  const kept = await openLibrary(library);
  const { captures } = await kept.list();
  kept.close();
  expect(captures).toMatchObject([{ options: { callGraph: 'dwarf' }, state: 'finished' }]);
});

test('Ctrl-C ends the recording and keeps the data if the key is not pressed', async () => {
  const own = join(folder, 'kept');
  const { pty, ended, said } = inTerminal(env, args('--pid', String(startBusy().pid), '--library', own));
  await said(/Press d: Restart/);
  pty.write('\u0003');
  expect(await ended).toBe(0);
  const kept = await openLibrary(own);
  expect((await kept.list()).captures).toMatchObject([{ options: { callGraph: 'fp' } }]);
  kept.close();
});

test('prints the command without a terminal', () => {
  const words = args('--pid', String(startBusy().pid), '--seconds', '3', '--library', join(folder, 'plain'));
  const { stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^Restart with DWARF \(stop this one, then\): flamebench record perf --rate 199 --call-graph dwarf .*--pid \d+$/m,
  );
  expect(stderr).not.toContain('Press');
});
