import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { LAUNCHER } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'option-files-'));
const at = (name: string): string => join(folder, name);
const env = { FLAMEBENCH_LIBRARY: at('library'), FLAMEBENCH_CONFIG: at('config') };
const PERF_DATA = join(import.meta.dirname, '../../../fixtures/import/perf-data/file.perf.data');

beforeAll(() => {
  writeFileSync(at('a.folded'), 'main;work 3\n');
  writeFileSync(at('a.pem'), '-----BEGIN CERTIFICATE-----\n');
  execFileSync('mkfifo', [at('pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const OPTIONS: readonly (readonly [option: string, words: readonly string[]])[] = [
  ['--rules', ['summary', at('a.folded')]],
  ['--transforms', ['top', at('a.folded')]],
  ['--kallsyms', ['top', PERF_DATA]],
  ['--template', ['report', at('a.folded'), '-o', at('x.html')]],
  ['--notes', ['report', at('a.folded'), '-o', at('x.html')]],
  ['--script', ['record', 'bpftrace', '--dry-run', '--system']],
  ['--ca', ['record', 'pprof', '--dry-run', 'https://localhost:1/']],
  ['--cert', ['record', 'pprof', '--dry-run', 'https://localhost:1/', '--key', at('a.pem')]],
  ['--key', ['record', 'pprof', '--dry-run', 'https://localhost:1/', '--cert', at('a.pem')]],
];

describe.each(OPTIONS)('%s', (option, words) => {
  test.each([
    ['/dev/zero', /\/dev\/zero: it is not a file; name a file/],
    [folder, /it is a folder; name a file inside it/],
    [at('missing'), /no (?:such file|template)/],
  ])('refuses %s at once', async (path, reason) => {
    const { code, stdout, stderr } = await callCli([...words, option, path], { env });
    expect({ code, stdout }).toEqual({ code: expect.toBeOneOf([2, 3]) as number, stdout: '' });
    expect(stderr).toMatch(reason);
  });

  test('reads a pipe up to its limit', async () => {
    const endless = spawn('sh', ['-c', 'exec yes > "$1"', 'sh', at('pipe')], { stdio: 'ignore' });
    try {
      const { code, stderr } = await callCli([...words, option, at('pipe')], { env });
      expect(code).toBeOneOf([2, 3]);
      expect(stderr).toMatch(/pipe is larger than \d+ MiB/);
    } finally {
      endless.kill();
    }
  });
});

test('a pipe and the standard input give the text of a file', async () => {
  const rules = (await callCli(['summary', '--print-rules'], { env })).stdout;
  writeFileSync(at('rules'), rules);
  for (const shell of ['cat rules | "$@" /dev/stdin', '"$@" <(cat rules)']) {
    const words = [process.execPath, LAUNCHER, 'summary', 'a.folded', '--rules'];
    const stdout = execFileSync('bash', ['-c', shell, 'bash', ...words], {
      cwd: folder,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect(stdout).toContain('work');
  }
});

test('a note from the standard input is read only as far as a note may be long', async () => {
  const added = spawnSync('bash', ['-c', 'yes | "$@"', 'bash', process.execPath, LAUNCHER, 'notes', 'add', 'x', '-'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  expect(added.status).toBe(2);
});
