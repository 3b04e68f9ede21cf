import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perfScriptImporter } from '#core/import/perf-script/perf-script.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { explainAnnotate, planAnnotate, runAnnotate, type AnnotateRequest } from '#collectors/perf/annotate.ts';
import type { Target } from '#collectors/target/target.ts';
import { compileHot, recordHot } from '../../support/hot-program.ts';
import { findNamedFile } from '#collectors/target/named-file.ts';
import { checkPerfEnds, target } from '../../support/perf-recording.ts';
import { functionNamed } from '../../support/sketch-profile.ts';

checkPerfEnds();

const folder = mkdtempSync(join(tmpdir(), "annotate 'x-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const request = (change: Partial<AnnotateRequest>): AnnotateRequest => ({
  rawPath: join(folder, 'raw.perf.data'),
  name: 'mix',
  module: '/bin/sh',
  kind: FunctionKind.user,
  hasSelf: true,
  lines: false,
  recordedAt: null,
  find: findNamedFile,
  ...change,
});

const never = new AbortController().signal;

describe('a C program with debug information', () => {
  let program = '';
  let source = '';
  let profile: Profile;

  beforeAll(() => {
    ({ program, source } = compileHot(folder));
    const { text } = recordHot(folder, program);
    const session = perfScriptImporter.start();
    session.push(readFileSync(text));
    profile = session.finish();
  });

  const annotate = async (change: Partial<AnnotateRequest>) => {
    const { command, checks } = await planAnnotate(target, request({ module: program, ...change }));
    if (command === null) throw new Error(JSON.stringify(checks));
    return runAnnotate(target, command, program, never);
  };

  test('weighs instructions like the profile weighs the function, and names their lines', async () => {
    const { events, truncated } = await annotate({ lines: true });
    expect(truncated).toBe(false);
    expect(events.map(({ event }) => event)).toEqual(['cpu-clock']);
    const [event] = events;
    const view = buildStackView(profile);
    const stats = functionStats(view);
    const self = stats.self[stats.func.indexOf(functionNamed(profile, 'mix'))];
    expect(event!.total).toBe(self);
    const hottest = event!.rows.filter((row) => row.kind === 'instruction' && row.period > event!.total * 0.05);
    expect(hottest.length).toBeGreaterThan(1);
    // On a busy machine perf gives up on addr2line, so some places may be unknown.
    const places = hottest.flatMap((row) => (row.kind === 'instruction' && row.place !== null ? [row.place] : []));
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toMatch(new RegExp(`^${source}:[6-9]$`));
    expect(event!.rows).toContainEqual({ kind: 'source', text: 'value ^= value >> 17;' });
    expect(event!.rows.some(({ text }) => /^j\w+ [0-9a-f]+ <mix\+0x/.test(text))).toBe(process.arch === 'x64');
  });

  test('reports that perf finds no sample if the symbol has changed', async () => {
    await expect(annotate({ name: 'mix2' })).rejects.toMatchObject({ code: 'no-samples' });
  });

  test.each(['-v', '--help', '-i', '"; touch /tmp/x; "', '$(id)', "it's", '__proto__', ''])(
    'takes %s only for a name',
    async (name) => {
      await expect(annotate({ name })).rejects.toMatchObject({ code: expect.any(String) });
    },
  );

  test('refuses a name that a command line can’t contain', async () => {
    await expect(annotate({ name: 'x'.repeat(200_000) })).rejects.toMatchObject({ code: 'perf-missing' });
  });

  test('warns of a binary that is newer than the recording', async () => {
    const { checks, command } = await planAnnotate(target, request({ module: program, recordedAt: 1000 }));
    expect(checks.find(({ id }) => id === 'binary')).toMatchObject({ status: 'warning' });
    expect(command).not.toBeNull();
    utimesSync(program, 0, 0);
    const again = await planAnnotate(target, request({ module: program, recordedAt: 1000 }));
    expect(again.checks.find(({ id }) => id === 'binary')).toMatchObject({ status: 'ok' });
  });

  test('ends everything that it started when cancelled', async () => {
    const cancel = new AbortController();
    const { command } = await planAnnotate(target, request({ module: program }));
    const running = runAnnotate(target, command!, program, cancel.signal);
    cancel.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('reports that objdump can’t disassemble', async () => {
    const { command } = await planAnnotate(target, request({ module: program }));
    const broken = [...command!, '--objdump=/bin/false'];
    await expect(runAnnotate(target, broken, program, never)).rejects.toMatchObject({ code: 'objdump-failed' });
  });
});

test('limits output and time', async () => {
  const heading = 'Period | Disassembly of /srv/hot for cycles (9 samples, percent: local period)';
  const rows = [
    '-e',
    `console.log(${JSON.stringify(heading)});for (let i = 0; i < 1e5; i++) console.log('  1 : ' + i + ': nop')`,
  ];
  const limits = { timeoutMs: 10_000, maxBytes: 100_000 };
  const long = await runAnnotate(target, [process.execPath, ...rows], '/srv/hot', never, limits);
  expect(long.truncated).toBe(true);
  expect(long.events[0]!.rows.length).toBeLessThan(10_000);
  const endless = runAnnotate(target, ['sleep', '60'], '/srv/hot', never, { timeoutMs: 200, maxBytes: 1000 });
  await expect(endless).rejects.toMatchObject({ code: 'too-slow', message: expect.stringContaining('0.2 s') });
});

describe('the plan of an annotation names the obstacle before anything runs', () => {
  const found = async (change: Partial<AnnotateRequest>, on: Target = target) => {
    const { checks, command } = await planAnnotate(on, request(change));
    const failed = checks.filter(({ status }) => status === 'failed');
    expect(command === null).toBe(failed.length > 0);
    return failed.map(({ id }) => id);
  };

  test.each([
    ['stripped', { kind: FunctionKind.unresolved, name: '[sh]' }, ['function']],
    ['compiled at run time', { kind: FunctionKind.jit, module: '/tmp/perf-1.map' }, ['function', 'binary']],
    ['without self samples', { hasSelf: false }, ['function']],
    ['a name with a line break', { name: 'a\nb' }, ['function']],
    ['a missing binary', { module: '/nowhere/app' }, ['binary']],
    ['the kernel', { kind: FunctionKind.kernel, module: '[kernel.kallsyms]' }, []],
    ['a module that is not a path', { module: 'file:list' }, []],
  ] as const)('%s', async (_, change, ids) => {
    expect(await found(change)).toEqual(ids);
  });

  test('without objdump or perf', async () => {
    const bare: Target = { ...target, findExecutable: () => Promise.resolve(null) };
    expect(await found({}, bare)).toEqual(['perf', 'objdump']);
  });

  test('excludes modules that perf would take for a list', async () => {
    for (const module of ['file:///etc/shadow', '/srv/a,b']) {
      const on: Target = { ...target, stat: () => Promise.resolve({ size: 1, uid: 0, modifiedAt: 0 }) };
      const { command } = await planAnnotate(on, request({ module, find: (name) => name }));
      expect(command?.some((argument) => argument.startsWith('--dsos'))).toBe(false);
    }
  });
});

test.each([
  ['Error:\nCouldn’t annotate x:\nNo vmlinux file\nwas found in the path.', 'no-vmlinux'],
  ['Error:\nThe raw data has no samples!', 'no-samples'],
  ['Error running objdump', 'objdump-failed'],
  ['\u001b[31mError:\nsomething new', 'annotate-failed'],
  ['', 'annotate-failed'],
])('explains %j', (stderr, code) => {
  expect(explainAnnotate(stderr)).toMatchObject({ code });
});
