import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { NodeOptions } from '#core/contract/node.ts';
import type { Profile } from '#core/model/profile.ts';
import type { RecordingOutcome } from '#collectors/collector.ts';
import { describePlan } from '#collectors/describe-plan.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { parseListeners } from '#collectors/target/listeners.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { makeLockedFolder } from '../../support/locked-folder.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { ageOf, endNodePrograms, startNodeProgram, type NodeProgram } from '../../support/node-program.ts';
import { HOT_PROGRAM, IDLE_PROGRAM } from '../../support/node-program-source.ts';
import { NODE_MAJORS, nodeOf, nodeVersions } from '../../support/node-versions.ts';
import { isRunning } from '../../support/process-state.ts';
import { LAUNCHER } from '../../support/run-cli.ts';

const target = createLocalTarget();
const folder = makeLockedFolder('fb-node-');
afterAll(async () => {
  await target.dispose();
  folder.remove();
});
endNodePrograms();

const optionsFor = (pid: number, more: Partial<NodeOptions> = {}): NodeOptions => ({
  collector: 'node',
  scope: { kind: 'pid', pid, startTicks: null },
  profile: 'cpu',
  seconds: 2,
  ...more,
});

/** Returns the first failed check. */
async function refusalOf(pid: number): Promise<string> {
  const { checks, plan } = await nodeCollector.preflight(target, optionsFor(pid));
  expect(plan).toBeNull();
  return checks.find(({ status }) => status === 'failed')!.found;
}

interface Recorded {
  readonly outcome: RecordingOutcome;
  readonly sink: MemorySink;
}

async function record(pid: number, more: Partial<NodeOptions> = {}): Promise<Recorded> {
  const { plan, checks } = await nodeCollector.preflight(target, optionsFor(pid, more));
  expect(plan, JSON.stringify(checks)).not.toBeNull();
  const sink = new MemorySink();
  const outcome = await nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK).outcome;
  return { outcome, sink };
}

const read = ({ sink, outcome: { primaryFile } }: Recorded): Promise<Profile> =>
  importProfile({ fileName: primaryFile, size: null, chunks: () => sink.read(primaryFile) });

/** Returns each function's share of the samples of a thread, by name. */
function sharesOf(profile: Profile, thread = 0): Map<string, number> {
  const { samples, stacks, frames, functions, strings } = profile;
  const counts = new Map<string, number>();
  let all = 0;
  for (let row = 0; row < samples.length; row++) {
    if (samples.thread[row] !== thread || samples.stack[row]! < 0) continue;
    all += 1;
    const name = strings[functions.name[frames.func[stacks.frame[samples.stack[row]!]!]!]!]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...counts].map(([name, count]) => [name, count / all]));
}

/** Returns the ports at which a process listens. */
function portsOf(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap(
      (name) =>
        /socket:\[(\d+)\]/.exec(spawnSync('readlink', [`/proc/${pid}/fd/${name}`]).stdout.toString())?.[1] ?? [],
    ),
  );
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${pid}/net/${name}`, 'latin1'));
  return parseListeners(tables.join('\n'), inodes).map(({ port }) => port);
}

/** Checks that a recording left nothing but the process itself. */
async function expectUntouched({ pid }: NodeProgram, ports: readonly number[] = []): Promise<void> {
  expect(isRunning(pid)).toBe(true);
  // The port closes within a second of the last client's end.
  await expect.poll(() => portsOf(pid)).toEqual(ports);
}

/** Returns the target with a clock at which the process is half a second old when it is first read. */
function seenYoung({ pid }: NodeProgram): Target {
  let older: number | null = null;
  return {
    ...target,
    async readFile(path, maxBytes) {
      const bytes = await target.readFile(path, maxBytes);
      if (path !== '/proc/uptime') return bytes;
      older ??= Math.max(0, ageOf(pid) - 0.5);
      return new TextEncoder().encode(String(Number.parseFloat(new TextDecoder().decode(bytes)) - older));
    },
  };
}

needing(nodeVersions, () => {
  describe.each(NODE_MAJORS)('Node %i', (major) => {
    test('finds the functions that --cpu-prof finds, though they were inlined before', async () => {
      const profiles = join(folder.path, `cpu-prof-${major}`);
      mkdirSync(profiles);
      const program = join(profiles, 'hot.mjs');
      writeFileSync(program, `${HOT_PROGRAM}\nsetTimeout(() => process.exit(), 4000);`);
      spawnSync(nodeOf(major), ['--cpu-prof', `--cpu-prof-dir=${profiles}`, program]);
      const [file] = globSync(`${profiles}/*.cpuprofile`);
      const bytes = readFileSync(file!);
      const whole = await importProfile({
        fileName: 'own.cpuprofile',
        size: null,
        async *chunks() {
          yield bytes;
        },
      });
      const expected = sharesOf(whole).get('hot')!;
      const running = await startNodeProgram(nodeOf(major), HOT_PROGRAM);
      const recorded = await record(running.pid, { seconds: 3 });
      expect(recorded.outcome).toMatchObject({ state: 'finished', error: null, primaryFile: 'raw.cpuprofile' });
      const profile = await read(recorded);
      expect(profile.metadata).toMatchObject({ tool: 'Node', rateHz: 1000 });
      expect(profile.metadata.toolVersion).toMatch(new RegExp(`^v${major}\\.`));
      expect(Math.abs(sharesOf(profile).get('hot')! - expected)).toBeLessThan(0.1);
      await expectUntouched(running);
    });

    test('samples worker threads, also those that start during the recording, and counts those that end', async () => {
      const worker = `
        const { workerData } = process.getBuiltinModule('node:worker_threads');
        function inWorker(n) { let s = 0; for (let i = 0; i < n; i++) s = (s + i * i) % 1000003; return s; }
        const end = Date.now() + workerData;
        const timer = setInterval(() => { inWorker(1e6); if (Date.now() > end) clearInterval(timer); }, 10);`;
      const running = await startNodeProgram(
        nodeOf(major),
        `import { Worker } from 'node:worker_threads';
         const source = ${JSON.stringify(worker)};
         const start = (workerData) => new Worker(source, { eval: true, workerData });
         start(60000);
         let isFirst = true;
         process.on('SIGUSR2', () => { if (isFirst) { start(60000); start(200); isFirst = false; } });`,
      );
      const { plan } = await nodeCollector.preflight(target, optionsFor(running.pid, { seconds: 4 }));
      const sink = new MemorySink();
      const recording = nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK);
      recording.onProgress(({ state }) => {
        if (state === 'recording') process.kill(running.pid, 'SIGUSR2');
      });
      const recorded = { sink, outcome: await recording.outcome };
      expect(recorded.outcome).toMatchObject({ state: 'finished', error: null });
      const profile = await read(recorded);
      expect(profile.threads.length).toBe(3);
      expect([...profile.threads.pid]).toEqual(Array.from({ length: 3 }, () => running.pid));
      for (const thread of [1, 2]) expect(sharesOf(profile, thread).get('inWorker')).toBeGreaterThan(0.05);
      expect(recorded.outcome.diagnostics).toContainEqual(expect.objectContaining({ code: 'lost-workers', count: 1 }));
      await expectUntouched(running);
    });

    test('records again, also what is allocated, and names the type of requests that grows without bound', async () => {
      const running = await startNodeProgram(
        nodeOf(major),
        `import { open } from 'node:fs';
         const kept = [];
         function keepBytes() { for (let i = 0; i < 5; i++) kept.push(new Array(2000).fill(i)); }
         setInterval(keepBytes, 20);
         setInterval(() => { for (let i = 0; i < 10; i++) setTimeout(() => {}, 1e6); }, 20);`,
      );
      const first = await record(running.pid, { profile: 'heap', seconds: 2 });
      expect(first.outcome).toMatchObject({ state: 'finished', primaryFile: 'raw.heapprofile' });
      expect((await read(first)).strings).toContain('keepBytes');
      const second = await record(running.pid, { seconds: 6 });
      expect(second.outcome.diagnostics).toContainEqual(
        expect.objectContaining({ code: 'growing-timeout', severity: 'warning' }),
      );
      expect((await read(second)).metadata.comments.join('\n')).toMatch(
        /^event loop: used \d+ % of the time; delay p50 .*\nhandles and requests, at most: [\d,]+ Timeout/,
      );
      await expectUntouched(running);
    });

    test('counts what is created by type and stack', async () => {
      const running = await startNodeProgram(
        nodeOf(major),
        `import dns from 'node:dns';
         function sendMetric() { dns.lookup('localhost', () => {}); }
         setInterval(() => { for (let i = 0; i < 20; i++) sendMetric(); }, 20);`,
      );
      const recorded = await record(running.pid, { profile: 'async', seconds: 1 });
      expect(recorded.outcome).toMatchObject({ state: 'finished', primaryFile: 'raw.folded.txt' });
      expect(recorded.sink.text('raw.folded.txt')).toMatch(
        /;sendMetric \([^;]*:2\);lookup \(node:dns:\d+\);GETADDRINFOREQWRAP \d{2,}$/m,
      );
      expect((await read(recorded)).samples.length).toBeGreaterThan(0);
      const quiet = await startNodeProgram(nodeOf(major), 'setInterval(() => {}, 1e6);');
      expect((await record(quiet.pid, { profile: 'async', seconds: 1 })).outcome.error).toMatchObject({
        code: 'no-samples',
      });
      await expectUntouched(running);
      await expectUntouched(quiet);
    });

    test('leaves out what is created within the counting itself, whose stack V8 does not format', async () => {
      const running = await startNodeProgram(
        nodeOf(major),
        `const { reverse } = Array.prototype;
         Array.prototype.reverse = function () { setTimeout(() => {}, 1); return reverse.call(this); };
         setInterval(() => setImmediate(function later() {}), 5);`,
      );
      const { outcome, sink } = await record(running.pid, { profile: 'async', seconds: 1 });
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      const lines = sink.text('raw.folded.txt').trimEnd().split('\n');
      expect(lines.filter((line) => !/^[^;]+(?:;[^;]{2,})* \d+$/.test(line))).toEqual([]);
      expect(lines).toContainEqual(expect.stringMatching(/;Immediate \d{2,}$/));
      await expectUntouched(running);
    });

    test('leaves a program’s own SIGUSR1 handler alone, and says why there is no port', async () => {
      const running = await startNodeProgram(
        nodeOf(major),
        `process.on('SIGUSR1', () => console.log('own handler')); ${IDLE_PROGRAM}`,
      );
      const { outcome } = await record(running.pid);
      expect(outcome).toMatchObject({ state: 'failed', error: { code: 'no-port' } });
      expect(outcome.error!.remedy).toMatch(/handles SIGUSR1 itself/);
      process.kill(running.pid, 'SIGUSR1');
      await expect.poll(() => running.text().match(/own handler/g)?.length).toBe(2);
      await expectUntouched(running);
    });

    test('ends by itself in the process if Flamebench is killed', async () => {
      const running = await startNodeProgram(
        nodeOf(major),
        `const count = () => Object.getOwnPropertySymbols(globalThis).filter((one) => String(one).includes('flamebench')).length;
         let last = 0;
         setInterval(() => { if (count() !== last) { last = count(); console.log('sessions', last); } }, 50);`,
      );
      const library = join(folder.path, `library-${major}`);
      const words = ['record', 'node', '--pid', String(running.pid), '--seconds', '600', '--library', library];
      const client = spawn(process.execPath, [LAUNCHER, ...words], { stdio: 'ignore' });
      await running.said(/sessions 1/);
      client.kill('SIGKILL');
      await running.said(/sessions 0/);
      await expect.poll(() => portsOf(running.pid)).toEqual([]);
      await expectUntouched(running);
      rmSync(library, { recursive: true, force: true });
    });
  });

  test('does not signal a process whose inspector other machines would reach', async () => {
    for (const options of [
      { argv: ['--inspect-port=0.0.0.0:9333'] },
      { env: { NODE_OPTIONS: '--inspect-port=0.0.0.0:9333' } },
    ]) {
      const running = await startNodeProgram(nodeOf(24), IDLE_PROGRAM, options);
      expect(await refusalOf(running.pid)).toMatch(/at 0\.0\.0\.0, which other machines may reach$/);
      expect(running.text()).not.toMatch(/Debugger/);
      await expectUntouched(running);
    }
  });

  test('closes at once an inspector that opens where other machines reach it against what is visible', async () => {
    const running = await startNodeProgram(nodeOf(24), `process.title = 'quiet'; ${IDLE_PROGRAM}`, {
      argv: ['--inspect-port=0.0.0.0:9334'],
    });
    const { outcome } = await record(running.pid);
    expect(outcome.error).toMatchObject({ code: 'foreign-address' });
    await expect.poll(() => portsOf(running.pid)).toEqual([]);
    await expectUntouched(running);
  });

  test('uses an inspector that is open, and leaves it open', async () => {
    const running = await startNodeProgram(nodeOf(24), HOT_PROGRAM, { argv: ['--inspect=127.0.0.1:9335'] });
    const recorded = await record(running.pid, { seconds: 1 });
    expect(recorded.outcome).toMatchObject({ state: 'finished' });
    await expectUntouched(running, [9335]);
    const own = await startNodeProgram(nodeOf(24), `(await import('node:inspector')).open(9336); ${HOT_PROGRAM}`);
    expect((await record(own.pid, { seconds: 1 })).outcome).toMatchObject({ state: 'finished' });
    await expectUntouched(own, [9336]);
  });

  test('stops early and keeps, or cancels and keeps nothing', async () => {
    const running = await startNodeProgram(nodeOf(24), HOT_PROGRAM);
    for (const [ask, state] of [
      ['stop', 'finished'],
      ['cancel', 'cancelled'],
    ] as const) {
      const { plan } = await nodeCollector.preflight(target, optionsFor(running.pid, { seconds: 600 }));
      const sink = new MemorySink();
      const recording = nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK);
      recording.onProgress((progress) => {
        if (progress.state === 'recording') void recording[ask]();
      });
      const outcome = await recording.outcome;
      expect(outcome).toMatchObject({ state, error: null });
      expect(sink.files.size).toBe(ask === 'stop' ? 1 : 0);
      await expectUntouched(running);
    }
  });

  test('refuses what is not Node, and what does not handle the signal', async () => {
    const other = spawn('sleep', ['60']);
    expect(await refusalOf(other.pid!)).toMatch(/runs sleep, not node$/);
    other.kill();
    const disabled = await startNodeProgram(nodeOf(24), IDLE_PROGRAM, { argv: ['--disable-sigusr1'] });
    expect(await refusalOf(disabled.pid)).toMatch(/--disable-sigusr1/);
    await expectUntouched(disabled);
    const deaf = join(folder.path, 'node');
    copyFileSync('/bin/sleep', deaf);
    const named = spawn(deaf, ['60']);
    expect(await refusalOf(named.pid!)).toMatch(/does not handle SIGUSR1, which would end it$/);
    expect(isRunning(named.pid!)).toBe(true);
    named.kill();
    expect(await refusalOf(4_194_000)).toMatch(/there is no process/);
  });

  test('leaves a process alone in its first second, and says that it waited', async () => {
    for (const major of NODE_MAJORS) {
      const young = await startNodeProgram(nodeOf(major), HOT_PROGRAM, { young: true });
      const { plan } = await nodeCollector.preflight(seenYoung(young), optionsFor(young.pid, { seconds: 1 }));
      expect(ageOf(young.pid)).toBeGreaterThanOrEqual(1);
      expect(describePlan(plan!)[1]).toMatch(/^# process \d+ had just started, so Flamebench waited \d\.\d s$/);
      const { outcome } = await record(young.pid, { seconds: 1 });
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      await expectUntouched(young);
    }
  });

  test('refuses a port that another process has taken', async () => {
    const server = createServer().listen(9337, '127.0.0.1');
    const running = await startNodeProgram(nodeOf(24), IDLE_PROGRAM, { argv: ['--inspect-port=9337'] });
    expect(await refusalOf(running.pid)).toMatch(/port 9337, .* is taken by another process/);
    expect(running.text()).not.toMatch(/inspector/);
    server.close();
    await expectUntouched(running);
  });

  test('samples in another PID namespace', async () => {
    const child = spawn('unshare', ['--pid', '--fork', '--mount-proc', nodeOf(24), '-e', HOT_PROGRAM]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const pidOf = (): number => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1').trim());
    await expect.poll(pidOf).toBeGreaterThan(0);
    const contained = pidOf();
    onTestFinished(() => void process.kill(contained, 'SIGKILL'));
    await expect
      .poll(() => nodeCollector.preflight(target, optionsFor(contained)).then(({ plan }) => plan?.steps.length))
      .toBe(2);
    const recorded = await record(contained);
    expect(recorded.outcome).toMatchObject({ state: 'finished' });
    expect(sharesOf(await read(recorded)).get('hot')).toBeGreaterThan(0.5);
    await expect.poll(() => portsOf(contained)).toEqual([]);
  });

  test('says that the samples are lost if the process ends', async () => {
    const running = await startNodeProgram(nodeOf(24), HOT_PROGRAM);
    const { plan } = await nodeCollector.preflight(target, optionsFor(running.pid, { seconds: 60 }));
    const recording = nodeCollector.start(target, plan!, new MemorySink(), SYSTEM_CLOCK);
    recording.onProgress(({ state }) => {
      if (state === 'recording') running.child.kill('SIGKILL');
    });
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'process-ended' } });
  });

  test.each(['TERM', 'KILL'])('ends in the process if what watches the recording gets %s', async (signal) => {
    const running = await startNodeProgram(
      nodeOf(24),
      `const count = () => Object.getOwnPropertySymbols(globalThis).filter((one) => String(one).includes('flamebench')).length;
       let last = 0;
       setInterval(() => { if (count() !== last) { last = count(); console.log('sessions', last); } }, 50);`,
    );
    const guards: number[] = [];
    const watched: Target = {
      ...target,
      async run(argv, options) {
        const started = await target.run(argv, options);
        if (argv[0] === 'sleep') guards.push(started.pid);
        return started;
      },
    };
    const { plan } = await nodeCollector.preflight(watched, optionsFor(running.pid, { seconds: 600 }));
    const recording = nodeCollector.start(watched, plan!, new MemorySink(), SYSTEM_CLOCK);
    await running.said(/sessions 1/);
    expect(guards).toHaveLength(1);
    process.kill(guards[0]!, `SIG${signal}`);
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'connection-lost' } });
    await running.said(/sessions 0/);
    await expectUntouched(running);
  });

  test('samples a loop that never returns to the event loop', async () => {
    const running = await startNodeProgram(
      nodeOf(24),
      `setTimeout(() => { ${HOT_PROGRAM.replace(/function turn[^]*/, '')} for (;;) sum += work(); }, 100);`,
    );
    const recorded = await record(running.pid, { seconds: 2 });
    expect(recorded.outcome).toMatchObject({ state: 'finished' });
    expect(sharesOf(await read(recorded)).get('hot')).toBeGreaterThan(0.5);
    expect(recorded.outcome.diagnostics).toContainEqual(expect.objectContaining({ code: 'inspector-open' }));
    expect(isRunning(running.pid)).toBe(true);
  });
});
