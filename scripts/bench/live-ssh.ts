import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { sshHosts, startSshHost, type SshHost } from '../../tests/support/sshd.ts';
import { flamebench } from '../run-command.ts';
import { compilePhases } from '../../tests/support/phase-program.ts';
import { CHANGES, changeTimeRow } from './change-time.ts';
import { changeSeconds, MAX_MORE_PERCENT, RATE_HZ } from './live.ts';
import { loadOnHost, startBusy } from './ssh.ts';
import { absentRow, benchTable, type BenchRow } from './table.ts';

const OVERHEAD = `CPU on the host of a live session over ssh, ${RATE_HZ} Hz, beyond a recording`;
const CHANGE = 'live over ssh: from a change of behaviour to a printed update';

/** Measures live sessions on a host: its processes' load next to that of a recording, and the time to a change. */
export async function benchLiveSsh(): Promise<BenchRow[]> {
  if (!sshHosts.present()) return [OVERHEAD, CHANGE].map((what) => absentRow(what, `absent: ${sshHosts.name}`));
  const host = await startSshHost();
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-bench-'));
  try {
    return [await overheadRow(host, folder), await changeRow(host)];
  } finally {
    await host.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function overheadRow(host: SshHost, folder: string): Promise<BenchRow> {
  const busy = await startBusy(host, folder);
  const watched = ['--target', host.destination, '--pid', `${busy.pid}`, '--rate', `${RATE_HZ}`];
  const library = ['--library', path.join(folder, 'library')];
  const plain = await loadOnHost(host, folder, busy.outerPid, flamebench('record', 'perf', ...watched, ...library));
  const live = await loadOnHost(host, folder, busy.outerPid, flamebench('live', ...watched, '--json'));
  busy.kill('SIGKILL');
  const more = live.all - plain.all;
  return {
    what: OVERHEAD,
    found: `${more.toFixed(2)} % of a CPU`,
    limit: `≤ ${MAX_MORE_PERCENT} %`,
    holds: more <= MAX_MORE_PERCENT,
    note: `live ${live.all.toFixed(2)} %: ${live.note}; recording ${plain.all.toFixed(2)} %: ${plain.note}`,
  };
}

async function changeRow(host: SshHost): Promise<BenchRow> {
  compilePhases(path.dirname(host.keyFile));
  const on = ['--target', host.destination];
  const found: number[] = [];
  for (let run = 0; run < CHANGES; run++) {
    const program = await host.start(['/run/machine/phases'], { user: true });
    found.push(await changeSeconds(program, on, { FLAMEBENCH_SSH_CONFIG: host.clientConfigFile }));
  }
  return changeTimeRow(CHANGE, found, 'live --json, a line per second');
}

if (import.meta.main) process.stdout.write(`${benchTable(await benchLiveSsh())}\n`);
