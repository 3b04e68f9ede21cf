import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, expect, test } from 'vitest';
import { endStartedProcesses, startBusy } from '../../../support/busy-process.ts';
import { startMcp, type McpClient } from '../../../support/mcp-client.ts';
import { needing } from '../../../support/needing.ts';
import { ownNamespaces } from '../../../support/own-tmp.ts';
import { LAUNCHER, runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-mcp-record-'));
const library = join(folder, 'library');
endStartedProcesses();
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the server with a user who gives this answer, and notes what the user was shown. */
async function withUser(answer: () => object): Promise<{ mcp: McpClient; shown: string[] }> {
  const shown: string[] = [];
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', ({ params }) => {
    shown.push(params.message);
    return answer() as { action: 'decline' };
  });
  return { mcp: await startMcp(['--library', library, '--allow-record'], client), shown };
}

const captures = async (): Promise<number> => {
  const { stdout } = await runCli(['captures', '--library', library, '--json']);
  return (JSON.parse(stdout) as { captures: unknown[] }).captures.length;
};

test('records what the user was shown and confirmed, and opens it', async () => {
  const { pid } = startBusy();
  const { mcp, shown } = await withUser(() => ({ action: 'accept', content: { record: true } }));
  try {
    const { text, isError } = await mcp.call('record', { pid, seconds: 1 });
    expect({ text, isError }).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^h1 .*cpu-clock.* samples;/m),
    });
    expect(shown).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Record process ${pid} \\("[^"]+", started 20[^)]+Z\\) for 1 s\\? .*\\n\\S+perf record .* -p ${pid}\\n`,
        ),
      ),
    ]);
    const { text: top } = await mcp.call('top', { handle: 'h1' });
    expect(top).toContain('functions');
    expect(await captures()).toBe(1);
  } finally {
    await mcp.client.close();
  }
}, 60_000);

test.each([
  ['declined', { action: 'decline' }],
  ['cancelled', { action: 'cancel' }],
  ['confirmed with no', { action: 'accept', content: { record: false } }],
  ['confirmed with another type', { action: 'accept', content: { record: 'yes' } }],
])(
  'a request that is %s runs nothing',
  async (_, answer) => {
    const before = await captures();
    const { pid } = startBusy();
    const { mcp, shown } = await withUser(() => answer);
    try {
      const { text, isError } = await mcp.call('record', { pid, seconds: 1 }).catch((error: unknown) => ({
        text: String(error),
        isError: true,
      }));
      expect({ text, isError }).toMatchObject({ isError: true });
      expect(shown).toHaveLength(1);
      expect(await captures()).toBe(before);
    } finally {
      await mcp.client.close();
    }
  },
  60_000,
);

/** A client whose user lets the process be replaced by a stranger with its number, and then says yes. */
const SWAP = `
  const { spawn } = await import('node:child_process');
  const { writeFileSync } = await import('node:fs');
  const { once } = await import('node:events');
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const [launcher, library] = process.argv.slice(1);
  const start = () => spawn('sleep', ['1000'], { stdio: 'ignore' });
  const first = start();
  let stranger;
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', async () => {
    first.kill('SIGKILL');
    await once(first, 'exit');
    do {
      stranger?.kill('SIGKILL');
      writeFileSync('/proc/sys/kernel/ns_last_pid', String(first.pid - 1));
      stranger = start();
    } while (stranger.pid !== first.pid);
    return { action: 'accept', content: { record: true } };
  });
  const args = [launcher, 'mcp', '--library', library, '--allow-record'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: process.env, stderr: 'ignore' }));
  const { content, isError } = await client.callTool({ name: 'record', arguments: { pid: first.pid, seconds: 1 } });
  console.log(JSON.stringify({ text: content[0].text, isError, survived: stranger?.exitCode === null && !stranger.killed }));
  process.exit();
`;

needing(ownNamespaces, () => {
  test('a process that got the number while the user was asked is not recorded', { timeout: 60_000 }, async () => {
    const before = await captures();
    const apart = ['--pid', '--fork', '--mount-proc', '--kill-child'];
    const program = [process.execPath, '--input-type=module', '--eval', SWAP, LAUNCHER, library];
    const { stdout, stderr } = spawnSync('unshare', [...apart, ...program], {
      encoding: 'utf8',
      timeout: 50_000,
      killSignal: 'SIGKILL',
    });
    expect(stdout, stderr).not.toBe('');
    expect(JSON.parse(stdout)).toEqual({
      isError: true,
      survived: true,
      text: expect.stringMatching(/process \d+ is no longer the selected process/) as string,
    });
    expect(await captures()).toBe(before);
  });
});

test('a client that can’t ask its user records nothing; without the option there is no such tool', async () => {
  const before = await captures();
  const mute = await startMcp(['--library', library, '--allow-record']);
  const readOnly = await startMcp(['--library', library]);
  try {
    const answer = await mute.call('record', { pid: startBusy().pid }).catch(() => ({ isError: true }));
    expect(answer.isError).toBe(true);
    expect(await captures()).toBe(before);
    const { tools } = await readOnly.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('record');
  } finally {
    await Promise.all([mute.client.close(), readOnly.client.close()]);
  }
  expect((await runCli(['mcp', '--root', folder, '--allow-record'])).code).toBe(2);
}, 60_000);
