import { spawnSync } from 'node:child_process';
import { median, secondsRow } from './table.ts';
import type { BenchRow } from './table.ts';
import { flamebench } from '../run-command.ts';

const RUNS = 7;

/** Measures how fast the command starts. */
export function benchStart(): BenchRow[] {
  const how = `median of ${RUNS}, Node ${process.versions.node}, compile cache warm`;
  const note = `flamebench top on a profile of one line, ${how}`;
  return [secondsRow('start of the command', median(commandSeconds()), 0.25, note)];
}

function commandSeconds(): number[] {
  const [node = '', ...words] = flamebench('top', '-');
  const once = (): number => {
    const start = performance.now();
    const { status, stderr } = spawnSync(node, words, { input: 'a;b 1\n', encoding: 'utf8' });
    if (status !== 0) throw new Error(`flamebench top failed: ${stderr.trim()}`);
    return (performance.now() - start) / 1000;
  };
  once();
  return Array.from({ length: RUNS }, once);
}
