import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openJournal } from '#app/engine/targets/journal.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { isRunning } from '../../../support/process-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
const target = createLocalTarget();
afterAll(async () => {
  await target.dispose();
  rmSync(folder, { recursive: true });
});

const filesOf = (config: string): string[] =>
  existsSync(join(config, 'started')) ? readdirSync(join(config, 'started')) : [];

/** Starts a process of the recording in its own session, as one that its watchdog did not reach. */
async function leave(marked: Target): Promise<number> {
  const process = await marked.run(['sh', '-c', 'setsid sleep 60 >/dev/null 2>&1 </dev/null & echo $!']);
  let text = '';
  for await (const chunk of process.stdout) text += new TextDecoder().decode(chunk);
  await process.exit;
  return Number(text);
}

/** Makes the entries look as if the Flamebench that wrote them had ended. */
function ofAnotherProcess(config: string): void {
  for (const name of filesOf(config)) {
    const path = join(config, 'started', name);
    const entry = JSON.parse(readFileSync(path, 'utf8')) as { by: { pid: number } };
    writeFileSync(path, JSON.stringify({ ...entry, by: { ...entry.by, pid: 4_194_303 } }));
  }
}

test('finds what a recording left by its mark, ends it, and reports it', async () => {
  const config = join(folder, 'left');
  const entry = await openJournal(config).begin('local', target);
  expect(filesOf(config)).toHaveLength(1);
  const pid = await leave(entry.target);
  const other = await target.run(['sleep', '60']);
  ofAnotherProcess(config);

  const next = openJournal(config);
  await next.clear('ssh://elsewhere', target);
  expect([isRunning(pid), next.notes.length]).toEqual([true, 0]);
  await next.clear('local', target);
  expect([isRunning(pid), isRunning(other.pid)]).toEqual([false, true]);
  expect(next.notes).toEqual([expect.stringMatching(/was interrupted; leftover processes were killed: sleep$/)]);
  expect(filesOf(config)).toEqual([]);
  await next.clear('local', target);
  expect(next.notes).toHaveLength(1);
  other.kill('SIGKILL');
  await entry.end(true);
});

test('a recording that ended well leaves no entry; the same process checks one whose end is unknown', async () => {
  const config = join(folder, 'ended');
  const journal = openJournal(config);
  const [good, lost, running] = [
    await journal.begin('local', target),
    await journal.begin('local', target),
    await journal.begin('local', target),
  ];
  await good.end(true);
  await lost.end(false);
  expect(filesOf(config)).toHaveLength(2);
  await journal.clear('local', target);
  expect(journal.notes).toEqual([expect.stringMatching(/nothing was left running$/)]);
  expect(filesOf(config)).toHaveLength(1);
  await running.end(true);
  expect(filesOf(config)).toEqual([]);
});

test('leaves recordings of another running Flamebench and unrelated files alone', async () => {
  const config = join(folder, 'alive');
  const entry = await openJournal(config).begin('local', target);
  const pid = await leave(entry.target);
  const alive = spawn('sleep', ['60']);
  const [name = ''] = filesOf(config);
  const path = join(config, 'started', name);
  const written = JSON.parse(readFileSync(path, 'utf8')) as { by: object };
  const stat = readFileSync(`/proc/${alive.pid}/stat`, 'latin1');
  const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  writeFileSync(path, JSON.stringify({ ...written, by: { ...written.by, pid: alive.pid, startTicks } }));
  writeFileSync(join(config, 'started', 'x.json'), '{"__proto__": 1}');
  const next = openJournal(config);
  await next.clear('local', target);
  expect([isRunning(pid), next.notes]).toEqual([true, []]);
  alive.kill('SIGKILL');
  await new Promise((resolve) => alive.once('exit', resolve));
  await next.clear('local', target);
  expect(isRunning(pid)).toBe(false);
  await entry.end(true);
});

test('a recording of another container is over when its entry is no longer locked, whatever the clock says', async () => {
  const config = join(folder, 'container');
  const entry = await openJournal(config).begin('local', target);
  const [name = ''] = filesOf(config);
  const path = join(config, 'started', name);
  const written = JSON.parse(readFileSync(path, 'utf8')) as { by: object };
  writeFileSync(path, JSON.stringify({ ...written, by: { ...written.by, machine: 'elsewhere' } }));
  const next = openJournal(config, () => Date.now() + 30 * 86_400_000);
  await next.clear('local', target);
  expect([filesOf(config), next.notes]).toEqual([[name], []]);
  await entry.end(false);
  await next.clear('local', target);
  expect([filesOf(config), next.notes]).toEqual([[], [expect.stringMatching(/nothing was left running$/)]]);
});

test('starts nothing that cannot be recorded in the journal', async () => {
  const config = join(folder, 'file');
  writeFileSync(config, '');
  await expect(openJournal(config).begin('local', target)).rejects.toThrow(/started/);
});
