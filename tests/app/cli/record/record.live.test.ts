import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { recoverRecording } from '#app/engine/recording/recover-recording.ts';
import { compileBurst } from '../../../support/burst-program.ts';
import { endStartedProcesses, startBusy, startReady } from '../../../support/busy-process.ts';
import { countSamples, lastSampleSeconds, RATE, uptimeSeconds } from '../../../support/perf-recording.ts';
import { childrenOf, killProcess } from '../../../support/process-list.ts';
import { isRunning } from '../../../support/process-state.ts';
import { needing } from '../../../support/needing.ts';
import { callCli } from '../../../support/call-cli.ts';
import { runCli } from '../../../support/run-cli.ts';
import { mounting, mountTmpfs } from '../../engine/support/temp-folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../app/cli/flamebench.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cli-record-'));
let libraries = 0;

endStartedProcesses();
afterAll(() => rmSync(folder, { recursive: true }));

const newLibrary = (): string => join(folder, `library-${libraries++}`);

/** Starts `flamebench record perf` on a busy process; resolves when `bytes` of perf's stream have arrived. */
async function startRecord(
  library: string,
  bytes = 20_000,
): Promise<{ cli: ChildProcess; folder: string; busy: number }> {
  const busy = startBusy().pid;
  const args = ['record', 'perf', '--pid', String(busy), '--rate', String(RATE), '--library', library];
  const cli = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const capture = (): string | undefined =>
    existsSync(library) ? readdirSync(library).find((name) => !name.startsWith('.')) : undefined;
  const size = (): number => {
    const stream = join(library, capture() ?? '', 'raw.perf.data');
    return existsSync(stream) ? statSync(stream).size : 0;
  };
  await expect.poll(size, { timeout: 45_000, interval: 50 }).toBeGreaterThan(bytes);
  return { cli, folder: join(library, capture()!), busy };
}

const printed = (cli: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const texts = { stdout: '', stderr: '' };
    cli.stdout!.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
    cli.stderr!.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
    cli.on('close', (code) => resolve({ code, ...texts }));
  });

/** Returns the PIDs of perf processes that record `pid`. */
function perfOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  const rows = stdout.split('\n').filter((line) => /perf record .*-p /.test(line) && line.trim().endsWith(` ${pid}`));
  return rows.map((line) => Number.parseInt(line, 10)).filter(isRunning);
}

describe('kill -9 of Flamebench while it records', () => {
  test('loses less than a second, leaves no perf running, and the next start completes the capture', async () => {
    const library = newLibrary();
    const { cli, folder: capture, busy } = await startRecord(library, 40_000);
    const [perf = 0] = perfOf(busy);
    expect(isRunning(perf)).toBe(true);
    cli.kill('SIGKILL');
    const killedAt = uptimeSeconds();
    await expect.poll(() => perfOf(busy), { timeout: 5000 }).toEqual([]);
    expect(isRunning(busy)).toBe(true);

    const before = JSON.parse(readFileSync(join(capture, 'capture.json'), 'utf8')) as CaptureDocument;
    expect(before.state).toBe('recording');
    const opened = await openLibrary(library, { recover: recoverRecording });
    await opened.settled();
    const { captures } = await opened.list();
    opened.close();
    expect(captures).toHaveLength(1);
    expect(captures[0]).toMatchObject({ state: 'finished', incomplete: true, lostSamples: 0 });
    expect(captures[0]?.diagnostics.map(({ code }) => code)).toEqual(['cut-off']);
    const text = readFileSync(join(capture, 'raw.perf-script.txt'), 'utf8');
    expect(countSamples(text)).toBe(captures[0]?.samples);
    expect(killedAt - lastSampleSeconds(text)).toBeLessThan(1);

    const top = await callCli(['top', join(capture, 'raw.perf-script.txt'), '--json']);
    expect(top.code).toBe(0);
  });
});

describe('Ctrl-C', () => {
  test('once ends the recording and keeps it', async () => {
    const { cli, folder: capture, busy } = await startRecord(newLibrary());
    const ending = printed(cli);
    cli.kill('SIGINT');
    const { code, stdout } = await ending;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sh \(\d+\): [\d,]+ samples of \S+, [\d.]+ s, 0 lost$/m);
    expect(stdout).toContain(`Next: flamebench top ${basename(capture)} --library ${dirname(capture)}\n`);
    expect(perfOf(busy)).toEqual([]);
  });

  test('twice leaves at once, says what may still run, and loses nothing', async () => {
    const library = newLibrary();
    const { cli, busy } = await startRecord(library);
    const ending = printed(cli);
    // Otherwise it could end before the second signal.
    for (const perf of perfOf(busy)) killProcess(perf, 'SIGSTOP');
    cli.kill('SIGINT');
    await sleep(1500);
    cli.kill('SIGTERM');
    const { code, stderr } = await ending;
    expect(code).toBe(143);
    expect(stderr).toMatch(
      /^exited at once: [\d,]+ samples are kept as capture \S+, .*; the collector may run on .* for up to 10 s/m,
    );
    const listed = await callCli(['captures', '--library', library, '--json']);
    expect(listed.code, listed.stderr).toBe(0);
    expect(listed.stderr).toMatch(/^Recovered .*: Flamebench exited while recording it/m);
  });
});

test('TERM and HUP at once, as systemd ends a login session, are one request to end and keep it', async () => {
  const { cli } = await startRecord(newLibrary());
  const ending = printed(cli);
  cli.kill('SIGTERM');
  cli.kill('SIGHUP');
  const { code, stdout } = await ending;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^sh \(\d+\): [\d,]+ samples of \S+, [\d.]+ s, 0 lost$/m);
});

test('TERM to all processes at once, as systemd ends a unit, ends the recording and keeps it', async () => {
  const { cli, busy } = await startRecord(newLibrary());
  const ending = printed(cli);
  for (const pid of [cli.pid!, ...childrenOf(cli.pid!)]) killProcess(pid, 'SIGTERM');
  const { code, stdout, stderr } = await ending;
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('incomplete')]);
  expect(stdout).toMatch(/^sh \(\d+\): [\d,]+ samples of \S+, [\d.]+ s, 0 lost$/m);
  expect(perfOf(busy)).toEqual([]);
});

describe('a command', () => {
  const burn = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done';

  test('is recorded; --json and -o return what scripts need', async () => {
    const library = newLibrary();
    const output = join(folder, 'out.txt');
    const options = ['--library', library, '--json', '-o', output, '--rate', '199', '--name', 'burn'];
    const { code, stdout, stderr } = await runCli(['record', 'perf', ...options, '--', 'sh', '-c', burn]);
    expect(code).toBe(0);
    expect(stdout).toBe('');
    // The exact commands are printed before they run.
    expect(stderr).toMatch(/^sh -c 'i=0; .*' &\n\S*perf record -o - .* -p \$!$/m);
    const { captures } = JSON.parse(readFileSync(output, 'utf8')) as {
      captures: (CaptureDocument & { file: string })[];
    };
    expect(captures[0]).toMatchObject({ name: 'burn', state: 'finished', origin: 'recorded' });
    const text = readFileSync(captures[0]!.file, 'utf8');
    expect(countSamples(text)).toBe(captures[0]!.samples);
    expect(text).not.toContain('fb-launcher');
  });

  test('has this command’s streams and exit code', async () => {
    const script = `read -r line; echo "got $line"; echo oops >&2; cat; ${burn}; exit 7`;
    const args = ['record', 'perf', '--library', newLibrary(), '--', 'sh', '-c', script];
    const { code, stdout, stderr } = await runCli(args, { stdin: 'first\nrest\n' });
    expect([code, stdout]).toEqual([7, 'got first\nrest\n']);
    expect(stderr).toMatch(/^oops$/m);
    expect(stderr).toMatch(/samples of .*, 0 lost$/m);
  });

  test.each([
    [['--exit-code', 'capture'], 'exit 7', 0],
    [[], 'kill -TERM $$', 143],
  ])('%j with %j: exit %i', async (options, end, code) => {
    const args = ['record', 'perf', '--library', newLibrary(), ...options, '--', 'sh', '-c', `${burn}; ${end}`];
    expect(await runCli(args)).toMatchObject({ code });
  });

  test('with a password is printed redacted and run unchanged', async () => {
    const output = join(folder, 'given.txt');
    const argv = ['sh', '-c', `${burn}; echo "$2" > ${output}`, 'client', '--password', 'hunter2'];
    const { code, stdout, stderr } = await runCli(['record', 'perf', '--library', newLibrary(), '--', ...argv]);
    expect(code).toBe(0);
    expect(stderr).toContain("--password '‹redacted›'");
    expect(stdout + stderr).not.toContain('hunter2');
    expect(readFileSync(output, 'utf8')).toBe('hunter2\n');
  });

  test('--repeat creates a series, with a file for each run', async () => {
    const output = join(folder, 'series.txt');
    const library = newLibrary();
    const args = [
      'record',
      'perf',
      '--repeat',
      '2',
      '--pause',
      '0.1',
      '-o',
      output,
      '--library',
      library,
      '--',
      'sh',
      '-c',
      burn,
    ];
    const { code, stderr } = await runCli(args);
    expect(code).toBe(0);
    expect(stderr).toContain('(1/2): ');
    expect(stderr).toContain('(2/2): ');
    expect([1, 2].map((run) => existsSync(join(folder, `series-${run}.txt`)))).toEqual([true, true]);
  });
});

describe('two sides', () => {
  const count = (rounds: number): string[] => ['sh', '-c', `i=0; while [ $i -lt ${rounds} ]; do i=$((i+1)); done`];

  test('of commands create an experiment that compares whole runs, to which more runs are added', async () => {
    const library = newLibrary();
    const output = join(folder, 'sides.txt');
    const options = ['--rate', '199', '--library', library, '--name', 'count'];
    const commands = ['--', ...count(100_000), '--', ...count(200_000)];
    const args = ['record', 'perf', '--interleave', '--repeat', '1', '-o', output, ...options];
    const { code, stderr } = await runCli([...args, ...commands]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^count before: [\d,]+ samples/m);
    expect(stderr).toMatch(/^count after: [\d,]+ samples/m);
    const experiment = /^Next: flamebench diff (experiment-\S+) --library \S+$/m.exec(stderr)![1]!;
    expect(['before', 'after'].map((side) => existsSync(join(folder, `sides-${side}-1.txt`)))).toEqual([true, true]);

    const json = join(folder, 'added.json');
    const more = ['record', 'perf', '--into', experiment, '--side', 'after', '--json', '-o', json, ...options];
    const added = await runCli([...more, '--', ...count(200_000)]);
    expect(added.code, added.stderr).toBe(0);
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      experiment,
      captures: [{ name: 'count', series: null }],
    });

    const diff = await callCli(['diff', experiment, '--library', library, '--json']);
    expect(JSON.parse(diff.stdout)).toMatchObject({
      normalize: 'per-request',
      before: { captures: [{ name: 'count before' }] },
      after: { captures: [{ name: 'count after' }, { name: 'count' }] },
    });
  });

  test('--dry-run prints the commands of both', async () => {
    const { code, stdout } = await callCli([
      'record',
      'perf',
      '--dry-run',
      '--interleave',
      '--',
      'true',
      '--',
      'echo',
      'x',
    ]);
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.endsWith(' &'))).toEqual(['true &', 'echo x &']);
  });

  test('are not recorded into a missing experiment', async () => {
    const library = newLibrary();
    const run = await runCli([
      'record',
      'perf',
      '--into',
      'nowhere',
      '--side',
      'after',
      '--library',
      library,
      '--',
      'true',
    ]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/^flamebench: No experiment "nowhere" in the library/);
    expect(existsSync(library) ? readdirSync(library) : []).toEqual([]);
  });
});

test('--dry-run prints what would run and creates nothing', async () => {
  const library = newLibrary();
  const args = ['record', 'perf', '--dry-run', '--library', library, '--call-graph', 'dwarf', '--', 'echo', 'a b'];
  const { code, stdout } = await callCli(args);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^echo 'a b' &\n\/\S*perf record -o - -e \S+ -F 99 --call-graph dwarf .* -p \$!\n\/\S*perf script -i - /,
  );
  const json = JSON.parse((await callCli([...args.slice(0, 3), '--json', ...args.slice(3)])).stdout) as {
    hosts: [{ target: string; commands: string[][]; checks: { id: string }[] }];
  };
  expect(json.hosts[0].commands[0]?.at(-1)).toBe('a b');
  expect(json.hosts[0].checks.map(({ id }) => id)).toContain('permission');
  expect(existsSync(library)).toBe(false);
});

test('a Python with -X perf is unwound with DWARF, unless a call graph is given', async () => {
  const planOf = async (...options: string[]): Promise<string> =>
    (await callCli(['record', 'perf', '--dry-run', ...options, '--', 'python3', '-X', 'perf', 'app.py'])).stdout;
  expect(await planOf()).toContain(' --call-graph dwarf,16384 ');
  expect(await planOf('--call-graph', 'auto')).toContain(' --call-graph dwarf,16384 ');
  expect(await planOf('--call-graph', 'fp')).toMatch(/# Python’s functions have names with call graph dwarf[^]* -g /);
});

test.each([
  [[], 2, /no collector given; available collectors: perf/],
  [['dtrace'], 2, /unknown collector "dtrace"; available collectors: perf/],
  [['stap'], 2, /nothing to record; give --recipe NAME/],
  [['stap', '--recipe', 'on-cpu', '--pid', '1', '--build-on', 'no-such-name'], 2, /unknown target "no-such-name"/],
  [['perf'], 2, /nothing to record; give --pid N/],
  [['perf', '--pid', '1', '--system'], 2, /can’t be combined/],
  [['perf', '--pid', '0'], 2, /whole number from 1/],
  [['perf', '--system', '--rate', '1e3'], 2, /whole number/],
  [['perf', '--system', '--seconds', '-1'], 2, /seconds/],
  [['perf', '--system', '--call-graph', 'frame'], 2, /fp, dwarf, lbr/],
  [['perf', '--system', '--repeat', '2'], 2, /give --seconds/],
  [['perf', '--system', '--target', 'no-such-name'], 2, /unknown target "no-such-name"; .* use ssh:\/\/no-such-name/],
  [['perf', '--system', '--target', 'ssh://-oProxyCommand=x'], 2, /starts with -/],
  [['perf', '--system', '--wave', '0'], 2, /whole number from 1/],
  [['perf', '--system', '--wave', '101%'], 2, /percentage above 0 and at most 100/],
  [['perf', '--system', '--max-overhead', '0'], 2, /percentage above 0/],
  [['perf', '--target-file', '/no/such/hosts'], 2, /\/no\/such\/hosts/],
  [['perf', '--target-file', '/dev/null'], 2, /it is not a file/],
  [['perf', '--max-overhead', '1%', '--', 'true'], 2, /for running processes; a program that Flamebench starts/],
  [['perf', '--system', '--target', 'local', '--target', 'local'], 2, /local is named twice/],
  [['perf', '--pid', '4194303'], 4, /can't record: there is no process 4194303; choose a running one/],
  [['perf', '--', 'no-such-program'], 4, /no such program: "no-such-program"/],
  [['perf', '--event', 'no-such-event', '--system'], 4, /perf lists no event no-such-event; .*perf list/],
])('record %j exits with %i', async (args, code, line) => {
  const run = await callCli(['record', '--library', join(folder, 'none'), ...args]);
  expect(run.code).toBe(code);
  expect(run.stderr).toMatch(line);
  expect(run.stderr.trimEnd()).not.toContain('\n');
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

test('reports in one line that a library cannot be created', async () => {
  const { code, stderr } = await callCli(['record', 'perf', '--library', '/proc/nowhere', '--', 'true']);
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^flamebench: Can't make .*\/proc\/nowhere/);
});

test('prints no next command for a capture without samples, and says if the process worked', async () => {
  const { pid } = await startReady(compileBurst(folder), []);
  const args = ['record', 'perf', '--pid', String(pid), '--library', newLibrary(), '--rate', '19', '--seconds', '8'];
  const { code, stdout, stderr } = await runCli(args);
  expect(code).toBe(4);
  expect(stdout).toMatch(/^burst \(\d+\): 0 samples of cpu-clock, 8\.\d s, [1-9]\d* lost$/m);
  expect(stdout).toMatch(/^ {2}quality poor: 100\.0 % lost\n {2}better: flamebench record perf .* --system$/m);
  expect(stdout).not.toContain('Next:');
  expect(stderr).toMatch(/^flamebench: perf sampled 0\.00 s of CPU time .* but the process used [\d.]+ s: .*--system/m);
});

test.each([
  ['capture', 4],
  ['program', 0],
])('keeps a recording without samples and says so; --exit-code %s: %i', async (whose, expected) => {
  const args = ['record', 'perf', '--library', newLibrary(), '--rate', '1', '--exit-code', whose, '--', 'true'];
  const { code, stderr } = await runCli(args);
  expect(code).toBe(expected);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^flamebench: no sample was recorded/);
  expect(stderr).toContain('No samples');
});

needing(mounting, () => {
  test('reports a full disk in one line with a remedy, and keeps what fits', async () => {
    const disk = mountTmpfs(2 << 20);
    const library = join(disk, 'library');
    const busy = startBusy().pid;
    const args = ['record', 'perf', '--pid', String(busy), '--rate', '9999', '--library', library];
    const { code, stdout, stderr } = await runCli(args);
    expect(code).toBe(4);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^flamebench: the capture is incomplete: Kept .*the disk of \S+ is full\. Free some space/,
    );
    expect(perfOf(busy)).toEqual([]);
    const opened = await openLibrary(library);
    const { captures } = await opened.list();
    opened.close();
    expect(captures[0]).toMatchObject({ state: 'finished', incomplete: true });
    expect(captures[0]!.sizeBytes).toBeGreaterThan(1 << 20);
    expect(stdout).toContain(captures[0]!.id);
  });

  test('says that the command was ended by a full disk', async () => {
    const library = join(mountTmpfs(600 << 10), 'library');
    const command = ['--', 'sh', '-c', 'while :; do :; done'];
    const { code, stderr } = await runCli(['record', 'perf', '--rate', '9999', '--library', library, ...command]);
    expect(code).toBe(143);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /Kept .* is full\. The command was ended, too\. Free some space/,
    );
  });
});

test('shows progress on one line of a terminal', () => {
  const library = newLibrary();
  const command = `${process.execPath} ${LAUNCHER} record perf --library ${library} --seconds 1 --pid ${startBusy().pid}`;
  const { stdout, error } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8' });
  expect(error).toBeUndefined();
  expect(stdout).toMatch(/\r\u001b\[Krecording · \d\.\d s · \d+ samples · [\d.]+ \S+ \(Ctrl-C stops and keeps\)/);
  expect(stdout).toMatch(/\r\u001b\[K[^\r]*: \d+ samples of /);
});
