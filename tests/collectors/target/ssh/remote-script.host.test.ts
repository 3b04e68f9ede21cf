import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { BATCH_SCRIPT, encodeLine, REMOTE_COMMAND, REMOTE_SHELL } from '#collectors/target/ssh/remote-script.ts';

describe('the command that hosts run', () => {
  test('is read alike by every login shell', () => {
    const [, quoted = ''] = /^exec \/bin\/sh -c '(.*)'$/.exec(REMOTE_COMMAND) ?? [];
    expect(quoted).not.toBe('');
    expect(quoted).not.toMatch(/['\\!\n`]/);
  });

  test('transfers lines unchanged, whatever they contain', () => {
    const texts = fc.array(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      { minLength: 1, maxLength: 40 },
    );
    // One shell runs all cases, because starting a shell is slow.
    fc.assert(
      fc.property(texts, (lines) => {
        const script = `while IFS= read -r l; do v=$(printf '%b.' "$l"); printf '%s\\000' "\${v%.}"; done`;
        const { stdout } = spawnSync('/bin/sh', ['-c', script], { input: lines.map(encodeLine).join('') });
        expect(stdout.toString('utf8')).toBe(lines.map((line) => `${Buffer.from(line).toString()}\0`).join(''));
      }),
      { numRuns: 20 },
    );
  });

  test('refuses a NUL', () => {
    expect(() => encodeLine('a\0b')).toThrow(RangeError);
  });
});

describe('an upload', () => {
  const folder = mkdtempSync(join(tmpdir(), 'upload-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Sends a part of a file of 100 bytes, but not the end of the channel; resolves when the script has ended. */
  async function send(bytes: number, endsChannel: boolean): Promise<{ path: string; said: string }> {
    const path = join(folder, `file-${bytes}`);
    const shell = spawn('/bin/sh', ['-c', REMOTE_SHELL], { stdio: ['pipe', 'pipe', 'ignore'] });
    let said = '';
    shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    shell.stdin.write([BATCH_SCRIPT, 'ma', 'rk', 'w 100 600', path].map(encodeLine).join(''));
    shell.stdin.write('x'.repeat(bytes));
    if (endsChannel) shell.stdin.end();
    await new Promise((resolve) => shell.once('close', resolve));
    return { path, said };
  }

  test('is written and confirmed', async () => {
    const { path, said } = await send(100, true);
    expect(said).toMatch(/^mark 0$/m);
    expect(readFileSync(path, 'utf8')).toHaveLength(100);
  });

  test('that a cut link leaves incomplete ends within 10 s and leaves no file', { timeout: 30_000 }, async () => {
    const { path, said } = await send(50, false);
    expect(said).toMatch(/^mark 1$/m);
    expect(existsSync(path)).toBe(false);
  });
});
