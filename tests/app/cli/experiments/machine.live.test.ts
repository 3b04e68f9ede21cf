import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { BUSY_LOOP } from '../../../support/busy-loop.ts';
import { runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'experiment-machine-'));
const pids = join(folder, 'pids');
/** More than one, so that other tests on this machine do not hide them. */
const LOOPS = 4;
let server: Server;

beforeAll(async () => {
  server = createServer((_, answer) => void answer.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
  if (existsSync(pids)) for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) process.kill(Number(pid));
  rmSync(folder, { recursive: true, force: true });
});

test('busy loops during every turn of one side: the conclusion says that the machine differed', async () => {
  const quiet = `[ ! -e '${pids}' ] || kill $(cat '${pids}'); rm -f '${pids}'`;
  const loop = `${quoteArgv(BUSY_LOOP)} </dev/null >/dev/null 2>&1 & echo $! >>'${pids}'`;
  const busy = [quiet, ...Array.from({ length: LOOPS }, () => loop)].join('\n');
  const sides = ['--switch-before', quiet, '--switch-after', busy, '--yes', '--profile', 'none', '--json'];
  const load = ['--concurrency', '2', '--threads', '1', '--seconds', '1', '--warm-up', '0', '--repeat', '5'];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const library = join(folder, 'library');
  const { code, stdout, stderr } = await runCli(['experiment', 'run', url, ...sides, ...load, '--library', library]);
  expect(code, stderr).toBe(0);
  expect(existsSync(pids), 'the before side is restored').toBe(false);
  const { conclusion } = JSON.parse(stdout) as { conclusion: string[] };
  const said =
    /^The machine differed between the sides: other programs used or waited for (\S+) CPUs before and (\S+) after,/m;
  const [, before, after] = said.exec(conclusion.join('\n')) ?? [];
  expect(Number(after) - Number(before), conclusion.join('\n')).toBeGreaterThan(LOOPS / 2);
}, 180_000);
