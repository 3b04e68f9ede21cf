import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { launchShell } from '../../tests/electron/launch-shell.ts';
import { buildFor } from '../../tests/electron/old/build-for.ts';
import { absentRow, benchTable, median, secondsRow, type BenchRow } from './table.ts';
import { findCommand } from '../components.mjs';
import { electronForTests, type ElectronForTests } from '../../tests/electron/electron-for-tests.ts';
import { root } from '../run-command.ts';

const WHAT = 'start to a sample, Electron';
const RUNS = 5;
const LIMIT_SECONDS = 2.5;

/** Measures the time from starting Electron to the painted graph of a bundled sample. */
export async function benchElectron(): Promise<BenchRow[]> {
  let electron: ElectronForTests;
  try {
    electron = electronForTests();
  } catch (error) {
    return [absentRow(WHAT, error instanceof Error ? error.message : String(error))];
  }
  await buildFor(electron);
  const seconds = startsOnDisplay();
  if (typeof seconds === 'string') return [absentRow(WHAT, seconds)];
  const note = `first start: Electron ${electron.version}'s process to the painted graph, median of ${RUNS}`;
  return [secondsRow(WHAT, median(seconds), LIMIT_SECONDS, note)];
}

/** Measures in a process with a display, a virtual one if there is none. Returns a text if it is impossible. */
function startsOnDisplay(): number[] | string {
  const hasDisplay = process.platform !== 'linux' || process.env['DISPLAY'] !== undefined;
  if (!hasDisplay && findCommand('xvfb-run') === null) return 'no display, and xvfb-run is absent';
  const words = [process.execPath, path.join(root, 'scripts/bench/electron.ts'), '--times'];
  const [command = '', ...rest] = hasDisplay ? words : ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24', ...words];
  const { status, stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8', timeout: 180_000 });
  if (status === 0) return JSON.parse(stdout) as number[];
  return stderr.trim().split('\n').at(-1) ?? 'Electron did not start';
}

async function timeStarts(): Promise<number[]> {
  const seconds: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const shell = await launchShell();
    try {
      await shell.page.getByRole('tab', { name: 'after', selected: true }).waitFor();
      await shell.page.locator('[role=tree] g.frame').nth(3).waitFor({ state: 'attached' });
      await shell.page.evaluate('new Promise(requestAnimationFrame)');
      seconds.push((performance.now() - start) / 1000);
    } finally {
      await shell.close();
    }
  }
  return seconds;
}

if (import.meta.main) {
  if (process.argv.includes('--times')) process.stdout.write(JSON.stringify(await timeStarts()));
  else process.stdout.write(`\n${benchTable(await benchElectron())}\n`);
}
