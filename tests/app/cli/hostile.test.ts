import { spawn as spawnProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node-pty';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTROL } from '#core/contract/escape-controls.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { commands } from '#app/cli/commands.ts';
import { chunksOf } from '../engine/support/bytes.ts';
import { encodePprof } from '../../support/encode/pprof.ts';
import { runCli } from '../../support/run-cli.ts';

const LAUNCHER = fileURLToPath(new URL('../../../app/cli/flamebench.mjs', import.meta.url));

/** Sets a title and colours, also by C1 controls, and has one of each kind of character that hides or reorders text. */
const EVIL = `x\u001b]pwned\u0007\u001b[31m\u009b31m\u061c\u200b\u200f\u202e\u2028\u2060\u2066\ufeff\u{e0041}y`;
/** Matches hostile text that reached the output escaped; some is refused or removed before. */
const ESCAPED = /\\x1b|\\033|\\u001b|\\u200b/;

const folder = mkdtempSync(join(tmpdir(), 'cli-hostile-'));
const file = (name: string): string => join(folder, name);
const library = file('library');
const env: Record<string, string | undefined> = {
  ...process.env,
  FLAMEBENCH_CONFIG: file('config'),
  FLAMEBENCH_LIBRARY: library,
  FLAMEBENCH_RENDERER: file('page'),
  FLAMEBENCH_SSH_CONFIG: file('ssh_config'),
};
let experiment = '';
let capture = '';
/** A server of ClickHouse's protocol that answers each query with an error. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(500).end(`Code: 62. DB::Exception: ${EVIL}. (SYNTAX_ERROR)`));
});
const loop = spawnProcess('sh', ['-c', 'read _', EVIL], { stdio: ['pipe', 'ignore', 'ignore'] });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const name of ['page', 'bin', 'config']) mkdirSync(file(name));
  writeFileSync(join(file('page'), 'index.html'), '<!doctype html>');
  writeFileSync(
    join(file('bin'), 'perf'),
    `#!/bin/sh\nprintf 'perf version 6.1 \\033]0;pwned\\007\\n'\nprintf '\\033[31mno\\n' >&2\nexit 1\n`,
  );
  chmodSync(join(file('bin'), 'perf'), 0o755);
  writeFileSync(file('ssh_config'), `Host good\n  HostName ${EVIL}\nHost ${EVIL}\n`);
  writeFileSync(
    join(file('config'), 'targets.json'),
    JSON.stringify({ version: 1, targets: [{ id: 'ssh://a', name: EVIL }] }),
  );
  writeFileSync(file('evil.goroutines'), `goroutine 1 [x\u001b[31m\u200b, 2 minutes]:\n${EVIL}()\n\t/${EVIL}:1 +0x1\n`);
  writeFileSync(file('evil.folded'), `main;${EVIL} 60\nmain;other 40\n`);
  writeFileSync(file('after.folded'), `main;${EVIL} 20\nmain;other 90\n`);
  const totals = '1 requests in 1.00s, 1.00KB read\nRequests/sec: 1.00';
  writeFileSync(file('evil-wrk.txt'), `Running 1s test @ http://${EVIL}\n  1 threads and 2 connections\n${totals}\n`);
  writeFileSync(
    file('evil.pb'),
    encodePprof({
      sampleTypes: [[EVIL, EVIL]],
      samples: [{ locations: [1], values: [7] }],
      mappings: [{ id: 1, file: `/srv/${EVIL}`, hasFunctions: true }],
      locations: [{ id: 1, mapping: 1, lines: [[1, 3]] }],
      functions: [{ id: 1, name: `work${EVIL}`, file: `/src/${EVIL}.c` }],
      comments: [EVIL],
    }),
  );
  const opened = await openLibrary(library);
  const [before, after] = [
    await opened.importFile('before.folded', chunksOf(`main;${EVIL} 3\n`)),
    await opened.importFile('after.folded', chunksOf('main;work 1\n')),
  ];
  capture = before.id;
  const made = await (
    await openExperiments(opened)
  ).create({ name: `e ${EVIL}`, before: [{ id: before.id }], after: [{ id: after.id }], notes: EVIL });
  experiment = made.experiment.id;
  opened.close();
  // As another program may have written it.
  const document = join(library, capture, 'capture.json');
  const text = JSON.parse(readFileSync(document, 'utf8')) as object;
  writeFileSync(document, JSON.stringify({ ...text, name: `capture ${EVIL}` }));
});
afterAll(() => {
  loop.kill();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  readonly args: readonly string[];
  /** True if hostile text is refused or removed before it reaches the output. */
  readonly isQuiet?: true;
  /** True to run with a perf that fails and prints escape sequences. */
  readonly withHostilePerf?: true;
}

/** The runs of each command; a command without a row here fails the test. */
const runs: Readonly<Record<string, () => readonly Run[]>> = {
  open: () => [{ args: [`${EVIL}.folded`] }, { args: ['--compare', EVIL, 'b'] }],
  serve: () => [{ args: [`${EVIL}.folded`] }, { args: ['--port', EVIL] }],
  record: () => [
    { args: ['perf', '--dry-run', '--', 'echo', EVIL] },
    { args: ['perf', '--dry-run', '--json', '--', 'echo', EVIL] },
    { args: ['perf', '--', 'true'], isQuiet: true, withHostilePerf: true },
    { args: ['perf', '--process', EVIL, '--seconds', '1'] },
    { args: ['perf', '--target', EVIL, '--', 'true'] },
  ],
  live: () => [
    { args: ['--text', '--pid', '1', '--target', EVIL] },
    { args: ['--pid', EVIL] },
    { args: ['--pid', String(loop.pid), '--seconds', '1', '--json'], isQuiet: true, withHostilePerf: true },
  ],
  top: () => [
    { args: [file('evil.pb')] },
    { args: [file('evil.folded')] },
    { args: [file('evil.pb'), '--json'] },
    { args: [file('evil.folded'), '--type', EVIL] },
    { args: [file('evil.folded'), `--${EVIL}`] },
    { args: [file('evil.folded'), '--hide', EVIL] },
  ],
  summary: () => [
    { args: [file('evil.pb')] },
    { args: [file('evil.folded'), '--json'] },
    { args: [file('evil.folded'), '--csv'] },
    { args: [file('evil.folded'), '--rules', EVIL] },
    { args: [experiment] },
    { args: [experiment, '--json'] },
  ],
  peek: () => [
    { args: [file('evil.pb'), '.'] },
    { args: [file('evil.folded'), '.', '--json'] },
    { args: [file('evil.folded'), '.', '--csv'] },
    { args: [file('evil.folded'), EVIL] },
  ],
  traces: () => [
    { args: [file('evil.pb')] },
    { args: [file('evil.pb'), '--json'] },
    { args: [file('evil.pb'), '--csv'] },
    { args: [file('evil.folded'), '--tagfocus', EVIL], isQuiet: true },
    { args: [file('evil.folded'), '--tagroot', EVIL] },
  ],
  list: () => [
    { args: [file('evil.pb'), '.'] },
    { args: [file('evil.pb'), '.', '--json'] },
    { args: [file('evil.folded'), EVIL] },
  ],
  tags: () => [{ args: [file('evil.pb')], isQuiet: true }, { args: [file('evil.pb'), '--base', EVIL] }],
  goroutines: () => [
    { args: [file('evil.pb')], isQuiet: true },
    { args: [EVIL] },
    { args: [file('evil.goroutines')] },
    { args: [file('evil.goroutines'), '--json'] },
  ],
  diff: () => [
    { args: [file('evil.folded'), file('after.folded')] },
    ...[['--to', 'folded'], ['--csv'], ['--json']].map((format) => ({
      args: [file('evil.folded'), file('after.folded'), ...format],
    })),
    { args: [experiment] },
    { args: [EVIL, file('after.folded')] },
  ],
  explain: () => [
    { args: [file('evil.folded')] },
    ...['md', 'json'].map((format) => ({ args: [file('evil.folded'), file('after.folded'), '--to', format] })),
    { args: [experiment], isQuiet: true },
    { args: [EVIL] },
  ],
  ci: () => [{ args: ['--state', EVIL, '--fail-on', EVIL] }, { args: ['--fail-on', EVIL, '--', EVIL, '--', EVIL] }],
  bisect: () => [{ args: ['a', 'b', '--function', `(${EVIL}`, '--', EVIL] }],
  load: () => [
    { args: ['read', file('evil-wrk.txt')] },
    { args: ['read', file('evil-wrk.txt'), '--json'] },
    { args: ['read', file('evil-wrk.txt'), '--csv'] },
    { args: ['diff', file('evil-wrk.txt'), file('evil-wrk.txt'), '--fail-on', EVIL] },
    { args: ['show', EVIL] },
    { args: ['run', EVIL] },
    { args: ['probe', EVIL] },
    { args: ['hops', EVIL, EVIL] },
    { args: [EVIL] },
  ],
  experiment: () => [
    { args: ['run', EVIL, '--dry-run', '--', EVIL, '--', EVIL] },
    { args: ['list'] },
    { args: ['list', '--json'] },
    { args: ['show', experiment] },
    { args: ['show', EVIL] },
    { args: ['import', file('evil.folded')], isQuiet: true },
  ],
  captures: () => [
    { args: ['list'] },
    { args: ['list', '--json'] },
    { args: ['show', EVIL] },
    { args: ['show', capture] },
    { args: ['delete', EVIL] },
    { args: [EVIL] },
  ],
  report: () => [
    { args: [file('evil.folded'), '-o', '-', '--to', 'md'] },
    { args: [file('evil.folded'), '-o', '-', '--to', 'csv'] },
    { args: [file('evil.folded'), '-o', '-', '--to', 'json'] },
    { args: [file('evil.folded'), '-o', `/nowhere/${EVIL}.md`] },
    { args: [EVIL, '-o', 'x.md'] },
  ],
  notes: () => [
    { args: [capture, 'add', `note ${EVIL}`, '--function', EVIL], isQuiet: true },
    { args: [capture] },
    { args: [capture, '--json'] },
    { args: [EVIL] },
    { args: [capture, EVIL] },
  ],
  recipes: () => [{ args: [], isQuiet: true }, { args: ['--target', EVIL] }],
  annotate: () => [
    { args: [file('evil.pb'), 'work', '--text'] },
    { args: [file('evil.pb'), 'work', '--json'] },
    { args: [file('evil.pb'), EVIL.slice(1)] },
    { args: [file('evil.folded'), 'nothing'], isQuiet: true },
    { args: [capture, 'main', '--asm'], isQuiet: true },
  ],
  lines: () => [{ args: [EVIL] }, { args: [capture], isQuiet: true }],
  'perf-script': () => [{ args: [`/${EVIL}`] }, { args: [EVIL] }, { args: [file('evil.folded'), '--target', EVIL] }],
  'go-trace': () => [
    { args: [`/${EVIL}`, '-o', file('trace.flamebench')] },
    { args: [EVIL, '-o', file('trace.flamebench')] },
  ],
  convert: () => [
    { args: [file('evil.folded'), '--to', 'folded'] },
    { args: [file('evil.pb'), '--to', 'folded'] },
    { args: [file('evil.pb'), '--to', 'folded', '-o', '/dev/tty'] },
    { args: [file('evil.pb'), '--to', 'folded', '-o', `/nowhere/${EVIL}`] },
    { args: [file('evil.pb'), '--to', EVIL] },
  ],
  doctor: () => [
    { args: [], isQuiet: true, withHostilePerf: true },
    { args: ['--json'], isQuiet: true, withHostilePerf: true },
    { args: ['--target', EVIL] },
  ],
  ps: () => [{ args: ['--filter', 'pwned'] }, { args: ['--filter', 'pwned', '--json'] }],
  targets: () => [
    { args: [], isQuiet: true },
    { args: ['--json'], isQuiet: true },
    { args: ['add', EVIL] },
    { args: [EVIL] },
  ],
  fleet: () => {
    const fleet = ['--in', file('evil.duckdb')];
    const logs = `clickhouse://127.0.0.1:${(server.address() as AddressInfo).port}/logs`;
    const fields = ['--service', EVIL, '--release', EVIL, '--host', EVIL, '--label', `env=${EVIL}`];
    return [
      { args: ['push', file('evil.folded'), '--to', file('evil.duckdb'), ...fields, '--redact', 'none'] },
      { args: ['receive', '--to', file('evil.duckdb'), '--listen', EVIL] },
      { args: ['receive', '--to', file('evil.duckdb'), '--token-file', EVIL] },
      { args: ['trace-log', '--in', logs, '--since', EVIL] },
      { args: ['trace-log', '--in', logs, '--query-id', EVIL] },
      { args: ['list', ...fleet] },
      { args: ['list', '--captures', ...fleet] },
      { args: ['top', ...fleet] },
      { args: ['search', 'e', ...fleet] },
      { args: ['history', `${EVIL}x`, ...fleet] },
      { args: ['diff', '--before', `release=${EVIL}`, '--after', `release=${EVIL}x`, ...fleet] },
      { args: ['diff', '--before', `host=${EVIL}`, '--after', `host=${EVIL}`, '--captures', 'e', ...fleet] },
      { args: [EVIL] },
    ];
  },
  mcp: () => [{ args: ['--root', EVIL] }, { args: [EVIL] }],
  formats: () => [{ args: [], isQuiet: true }, { args: [EVIL] }],
  completion: () => [{ args: ['bash'], isQuiet: true }, { args: [EVIL] }],
  man: () => [{ args: [], isQuiet: true }, { args: [EVIL] }],
};

/** Returns what the command prints on a terminal, without its own sequence that clears the progress line. */
async function shownBy(args: readonly string[], path: string): Promise<string> {
  const pty = spawn(process.execPath, [LAUNCHER, ...args], {
    cols: 1000,
    rows: 30,
    cwd: folder,
    // Colours are control sequences of this command's own.
    env: { ...env, PATH: path, NO_COLOR: '1' },
  });
  let shown = '';
  pty.onData((text) => (shown += text));
  await new Promise((resolve) => pty.onExit(resolve));
  return shown.replaceAll('\r\u001b[K', '').replaceAll('\r\n', '\n');
}

describe.each(commands.map(({ name }) => name))('%s', (name) => {
  test('writes no control characters to a terminal', async () => {
    const all = runs[name];
    expect(all, `hostile input for ${name}`).toBeDefined();
    for (const { args, isQuiet = false, withHostilePerf = false } of all!()) {
      const path = process.env['PATH'] ?? '';
      const shown = await shownBy([name, ...args], withHostilePerf ? `${file('bin')}:${path}` : path);
      const controls = [...shown].filter((character) => CONTROL.test(character) && !'\n\t'.includes(character));
      expect(controls, `${args.join(' ')}: ${shown}`).toEqual([]);
      expect(shown).not.toBe('');
      if (!isQuiet) expect(shown, args.join(' ')).toMatch(ESCAPED);
    }
  });
});

test('escapes text for people on a pipe too, but not a profile', async () => {
  const top = await runCli(['top', file('evil.pb')]);
  expect(top.stdout + top.stderr).toMatch(ESCAPED);
  expect(top.stdout.replaceAll('\n', '')).not.toMatch(CONTROL);
  const folded = await runCli(['convert', file('evil.folded'), '--to', 'folded']);
  expect(folded.stdout).toContain(EVIL);
  await runCli(['convert', file('evil.folded'), '--to', 'folded', '-o', file('out.folded')]);
  expect(readFileSync(file('out.folded'), 'utf8')).toBe(folded.stdout);
});

test('JSON contains the profile’s exact names', async () => {
  const { stdout } = await runCli(['top', file('evil.folded'), '--json']);
  expect(stdout.replaceAll('\n', '')).not.toMatch(CONTROL);
  const { functions } = JSON.parse(stdout) as { functions: { name: string }[] };
  expect(functions.map(({ name }) => name)).toContain(EVIL);
});
