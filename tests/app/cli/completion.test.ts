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
});

test('fish completes commands, options and their values', () => {
  const fish = (line: string): string =>
    spawnSync('fish', ['-c', `source ${script('fish')}; complete -C '${line}'`], { encoding: 'utf8' }).stdout;
  expect(fish('flamebench rep')).toContain('report\twrite a finding');
  expect(fish('flamebench convert --to')).toContain('--to\tformat to write');
  expect(fish('flamebench convert --to spe')).toContain('speedscope');
});

test('zsh reads its completion, with the summaries of commands', () => {
  expect(words('zsh', '-n', script('zsh'))).toEqual(['']);
  const run = `compdef() { :; }; _describe() { print -rl -- "\${(@P)2}" }; _files() { :; }; source ${script('zsh')}`;
  const list = words('zsh', '-fc', `${run}; words=(flamebench rep); CURRENT=2; _flamebench`).join(' ');
  expect(list).toContain('report:write a finding as one file');
  const options = words('zsh', '-fc', `${run}; words=(flamebench convert --t); CURRENT=3; _flamebench`).join(' ');
  expect(options).toContain('--to:format to write');
});

test('refuses another shell', async () => {
  expect(await callCli(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    stderr: "flamebench: unknown shell 'tcsh'; use bash, zsh, fish\n",
  });
});
