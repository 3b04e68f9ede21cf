import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { shiftOf } from '#core/load/probe.ts';
import { needing, type Need } from '../../support/needing.ts';
import { runCli, type CliRun } from '../../support/run-cli.ts';

const go: Need = { name: 'go', present: () => spawnSync('go', ['version']).status === 0 };
const folder = mkdtempSync(join(tmpdir(), 'load-experiment-'));
const library = join(folder, 'library');
const servers: ChildProcess[] = [];
afterAll(() => {
  for (const server of servers) server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const program = join(folder, 'apiserver');
/** A token that the sample accepts, see its middleware.go. */
const token = `ada.${createHmac('sha256', 'a sample, not a secret').update('ada').digest('hex')}`;

async function startServer(dump: boolean): Promise<{ readonly url: string; readonly pid: string }> {
  const server = spawn(program, ['-listen', '127.0.0.1:0', `-dump=${dump}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(server);
  const address = await new Promise<string>((resolve) => {
    server.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return { url: `${address}/v1/orders/7`, pid: String(server.pid) };
}

const load = (...args: string[]): Promise<CliRun> => runCli(['load', ...args, '--library', library]);

interface Run {
  readonly id: string;
  readonly steps: readonly { readonly runs: readonly { readonly notes: readonly string[] }[] }[];
  readonly observed: readonly { readonly captures?: readonly { readonly id: string }[] }[];
}
interface Metric {
  readonly metric: string;
  readonly verdict: string;
  readonly before: { readonly runs: readonly number[] };
  readonly after: { readonly runs: readonly number[] };
}
interface Diff {
  readonly steps: readonly { readonly metrics: readonly Metric[] }[];
}

needing(go, () => {
  it('shows the cost of the dump middleware in QPS over six steps and in CPU per request', async () => {
    execFileSync('go', ['build', '-o', program, '.'], {
      cwd: join(import.meta.dirname, '../../../samples/programs/apiserver'),
    });
    /** Runs two tests of a server: a sweep of six steps with three runs each, and a run that pprof records. */
    const measure = async (name: string, dump: boolean): Promise<{ capture: string }> => {
      const { url, pid } = await startServer(dump);
      const common = ['--header', `Authorization: Bearer ${token}`, '--warm-up', '0', '--cool-down', '0'];
      const run = async (...args: string[]): Promise<Run> => {
        const { code, stdout, stderr } = await load(
          'run',
          url,
          ...common,
          '--threads',
          '1',
          '--pid',
          pid,
          ...args,
          '--json',
        );
        expect(code, stderr).toBe(0);
        return JSON.parse(stdout) as Run;
      };
      const steps = ['--concurrency', '2,4,6,8,12,16', '--seconds', '1', '--repeat', '3'];
      expect((await run(...steps, '--name', name)).steps).toHaveLength(6);
      const profiled = await run('--concurrency', '8', '--seconds', '4', '--repeat', '1', '--profile', 'pprof');
      expect(profiled.steps[0]!.runs[0]!.notes.filter((note) => note.startsWith('No profile'))).toEqual([]);
      return { capture: profiled.observed[0]!.captures![0]!.id };
    };
    const before = await measure('dump', true);
    const after = await measure('no dump', false);

    const compared = await load('diff', 'dump', 'no dump', '--json');
    expect(compared.code, compared.stderr).toBe(0);
    const { steps } = JSON.parse(compared.stdout) as Diff;
    const of = (wanted: string): Metric[] =>
      steps.flatMap(({ metrics }) => metrics.filter(({ metric }) => metric === wanted));
    /** Returns the shift's 95 % interval over all steps, because single steps vary with this machine's other load. */
    const shift = (metrics: readonly Metric[]): readonly [number, number] =>
      shiftOf(
        metrics.flatMap(({ before }) => before.runs),
        metrics.flatMap(({ after }) => after.runs),
      )!.interval!;
    expect(of('qps')).toHaveLength(6);
    expect(shift(of('qps'))[0]).toBeGreaterThan(0);
    expect(of('qps').map(({ verdict }) => verdict)).not.toContain('shrank');

    const { stdout } = await runCli(['diff', '--library', library, before.capture, after.capture]);
    expect(stdout).toMatch(/^cpu may have shrunk .* per request/m);
    expect(stdout).toMatch(/^main\.handler\.dumpBodies\.func1 may be gone: total .* per request before, 0 after/m);
  }, 240_000);
});
