import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCli } from '../../support/call-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-completion-'));
const script = (shell: string): string => join(folder, shell);

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const run = await callCli(['completion', shell]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(script(shell), run.stdout);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a shell's own commands and returns the words of its output. */
function words(shell: string, ...args: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync(shell, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split(/\s+/);
}

const bash = (line: string): string[] => {
  const typed = line.split(' ');
  const set = `COMP_WORDS=(${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length - 1}`;
  return words('bash', '-c', `source ${script('bash')}; ${set}; _flamebench; echo "\${COMPREPLY[@]}"`);
};

test('bash completes commands, options and their values', () => {
  expect(bash('flamebench rep')).toEqual(['report', '']);
  expect(bash('flamebench convert --t')).toEqual(expect.arrayContaining(['--to', '--type', '--time', '--thread']));
  expect(bash('flamebench convert --to spe')).toEqual(['speedscope', '']);
  expect(bash('flamebench record ')).toEqual(['perf', 'pprof', 'node', 'java', 'python', 'bpftrace', 'stap', '']);
  expect(bash('flamebench record perf --call')).toEqual(['--call-graph', '']);
  expect(bash('flamebench record perf --call-graph dw')).toEqual(['dwarf', '']);
  expect(bash('flamebench record stap --call')).toEqual(['', '']);
});

test('fish completes commands, options and their values', () => {
  // fish makes folders in the home.
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const fish = (line: string): string =>
    spawnSync('fish', ['-c', `source ${script('fish')}; complete -C '${line}'`], { encoding: 'utf8', env }).stdout;
  expect(fish('flamebench rep')).toContain('report\twrite a finding');
  expect(fish('flamebench convert --to')).toContain('--to\tformat to write');
  expect(fish('flamebench convert --to spe')).toContain('speedscope');
  expect(fish('flamebench record p')).toMatch(/^perf\t.+\npprof\t.+\n/);
  expect(fish('flamebench record perf p')).not.toContain('pprof\t');
  expect(fish('flamebench record perf --call')).toMatch(/^--call-graph\t.+\n$/);
  expect(fish('flamebench record perf --call-graph dw')).toContain('dwarf');
  expect(fish('flamebench record stap --call')).toBe('');
});

test('zsh reads its completion, with the summaries of commands', () => {
  expect(words('zsh', '-n', script('zsh'))).toEqual(['']);
  const run = `compdef() { :; }; _describe() { print -rl -- "\${(@P)2}" }; _files() { :; }; source ${script('zsh')}`;
  const zsh = (line: string): string => {
    const typed = line.split(' ');
    const set = `words=(${typed.map((word) => `'${word}'`).join(' ')}); CURRENT=${typed.length}`;
    return words('zsh', '-fc', `${run}; ${set}; _flamebench`).join(' ');
  };
  expect(zsh('flamebench rep')).toContain('report:write a finding as one file');
  expect(zsh('flamebench convert --t')).toContain('--to:format to write');
  expect(zsh('flamebench record ')).toMatch(/^perf:.* pprof:.* java:.* bpftrace:.* stap:/);
  expect(zsh('flamebench record perf --c')).toContain('--call-graph:');
  expect(zsh('flamebench record stap --c')).not.toContain('--call-graph:');
});

test('refuses another shell', async () => {
  expect(await callCli(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    stderr: "flamebench: unknown shell 'tcsh'; use bash, zsh, fish\n",
  });
});
