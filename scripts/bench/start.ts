import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, secondsRow } from './table.ts';
import type { BenchRow } from './table.ts';
import { forkUtility } from '../../tests/support/utility-process.ts';
import { root } from '../run-command.ts';

const RUNS = 7;

/** Measures how fast the command and the engine start. */
export async function benchStart(): Promise<BenchRow[]> {
  const engineSeconds: number[] = [];
  for (let run = 0; run < RUNS; run++) engineSeconds.push(await startEngineOnce());
  const how = `median of ${RUNS}, Node ${process.versions.node}, compile cache warm`;
  return [
    secondsRow(
      'start of the command',
      median(commandSeconds()),
      0.25,
      `flamebench top on a profile of one line, ${how}`,
    ),
    secondsRow('start of the engine', median(engineSeconds), null, `to its "ready", empty library, ${how}`),
  ];
}

const launcher = path.join(root, 'app/cli/flamebench.mjs');

function commandSeconds(): number[] {
  const once = (): number => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'top', '-'], {
      input: 'a;b 1\n',
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`flamebench top failed: ${stderr.trim()}`);
    return (performance.now() - start) / 1000;
  };
  once();
  return Array.from({ length: RUNS }, once);
}

async function startEngineOnce(): Promise<number> {
  const library = mkdtempSync(path.join(tmpdir(), 'flamebench-bench-'));
  const start = performance.now();
  const child = forkUtility(path.join(root, 'app/engine/main.ts'), [], {
    env: { ...process.env, FLAMEBENCH_LIBRARY: library, FLAMEBENCH_CONFIG: `${library}-config` },
  });
  try {
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('error', reject);
      child.once('exit', () => reject(new Error('the engine did not start')));
    });
    return (performance.now() - start) / 1000;
  } finally {
    child.postMessage({ kind: 'close', discard: true });
    await new Promise((resolve) => child.once('close', resolve));
    rmSync(library, { recursive: true, force: true });
  }
}
