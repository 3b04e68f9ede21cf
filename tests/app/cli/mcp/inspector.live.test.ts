import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MCP_INSPECTOR, mcpInspector } from '../../../support/mcp-inspector.ts';
import { needing } from '../../../support/needing.ts';
import { LAUNCHER } from '../../../support/run-cli.ts';

const SAMPLES = join(import.meta.dirname, '../../../../samples/profiles/pprof');
const home = mkdtempSync(join(tmpdir(), 'flamebench-mcp-inspector-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Starts the server through the inspector, and calls one method. */
function inspect(...method: readonly string[]): SpawnSyncReturns<string> {
  const server = [process.execPath, LAUNCHER, 'mcp', '--root', SAMPLES];
  return spawnSync(
    process.execPath,
    [MCP_INSPECTOR, '--cli', '--connect-timeout', '60000', ...server, '--method', ...method],
    { encoding: 'utf8', env: { ...process.env, HOME: home }, timeout: 120_000, killSignal: 'SIGKILL' },
  );
}

needing(mcpInspector, () => {
  test('finds no fault in the tools’ schemas, which are the documented tools', { timeout: 180_000 }, () => {
    const { status, stdout, stderr } = inspect('tools/list', '--strict');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(
      'open summary top search peek annotate diff explain doctor'.split(' '),
    );
  });

  test('calls a tool, and shows an error as one', { timeout: 180_000 }, () => {
    const open = (input: string): { content: [{ text: string }]; isError?: true } =>
      JSON.parse(inspect('tools/call', '--tool-name', 'open', '--tool-arg', `input=${input}`).stdout) as never;
    expect(open('apiserver-before-1/raw.pprof').content[0].text).toMatch(/^h1 .*88 samples/m);
    expect(open('/etc/passwd')).toMatchObject({ isError: true });
    expect(readdirSync(home)).not.toContain('.mcp-inspector');
  });
});
