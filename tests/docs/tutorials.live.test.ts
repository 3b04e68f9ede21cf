import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPodman, type Podman } from '../support/podman.ts';
import { LAUNCHER } from '../support/run-cli.ts';

const tutorials = path.join(import.meta.dirname, '../../docs/tutorials');
const work = mkdtempSync(path.join(tmpdir(), 'flamebench-tutorials-'));
let podman: Podman | null = null;

afterAll(() => {
  podman?.close();
  rmSync(work, { recursive: true, force: true });
});

interface Step {
  readonly commands: string;
  /** What it prints, with `…` for any text and each number for any number; a line of only `…` for any lines. */
  readonly prints: string | null;
}

/** Returns the blocks of commands of a page, in order, each with the block of output that follows. */
function stepsOf(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, text = ''], place) => {
    if (language === 'text') return [];
    const next = blocks[place + 1];
    return [{ commands: text, prints: next?.[1] === 'text' ? next[2]! : null }];
  });
}

const ANY_LINES = String.raw`(?:.*\n)*?`;

function patternOf(prints: string): RegExp {
  const lines = prints.trimEnd().split('\n');
  const patterns = lines.map((line) => {
    if (line === '…') return ANY_LINES;
    const parts = line.trim().split(/(…|\d[\d,.]*|\s+)/);
    const words = parts.map((part) => {
      if (part === '…') return '.*';
      if (/^\d/.test(part)) return String.raw`\d[\d,.]*`;
      return /^\s+$/.test(part) ? ' +' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    });
    return ` *${words.join('')}.*\n`;
  });
  return new RegExp(`^${patterns.join('')}`, 'm');
}

/** Runs the blocks in one shell, as a reader does, and returns what each prints. */
async function follow(name: string, steps: readonly Step[], env: Readonly<Record<string, string>>): Promise<string[]> {
  // A retry begins anew.
  const folder = mkdtempSync(path.join(work, `${name}-`));
  const bin = path.join(work, 'bin');
  mkdirSync(bin, { recursive: true });
  const command = path.join(bin, 'flamebench');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`);
  chmodSync(command, 0o755);
  const end = '\u{1}end of a block\n';
  const script = steps.map(({ commands }) => `${commands}printf '\\001end of a block\\n'\n`).join('');
  const file = path.join(bin, `${name}.sh`);
  writeFileSync(file, script);
  const shell = spawn('bash', ['-e', file], {
    cwd: folder,
    env: { ...process.env, ...env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, TERM: 'dumb' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  try {
    const [code] = await once(shell, 'exit');
    expect(code, printed).toBe(0);
    return printed.split(end).slice(0, -1);
  } finally {
    // Servers that the blocks left running, too.
    await new Promise((resolve) => execFile('kill', ['-KILL', '--', `-${shell.pid}`], resolve));
  }
}

const pages = globSync('*.md', { cwd: tutorials }).filter((name) => name !== 'README.md');

test('five tutorials are listed', () => {
  const listed = readFileSync(path.join(tutorials, 'README.md'), 'utf8').matchAll(/^\d\. \[[^\]]+\]\(([^)]+)\)/gm);
  expect(new Set([...listed].map(([, name]) => name))).toEqual(new Set(pages));
  expect(pages).toHaveLength(5);
});

for (const page of pages) {
  test(`${page} prints what it says`, { timeout: 120_000 }, async () => {
    const steps = stepsOf(readFileSync(path.join(tutorials, page), 'utf8'));
    if (page === 'profile-a-container.md') podman = openPodman();
    const printed = await follow(path.basename(page, '.md'), steps, podman?.env ?? {});
    expect(printed).toHaveLength(steps.length);
    for (const [place, { prints }] of steps.entries())
      if (prints !== null) expect(printed[place]).toMatch(patternOf(prints));
  });
}
