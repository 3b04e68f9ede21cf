import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Need } from './needing.ts';

const VERSION = '2.12.0';

/** Outside the checkout: its 117 packages are of no use to the development tools. */
const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'flamebench',
  'mcp-inspector-for-tests',
);
const folder = path.join(cache, VERSION);

/** The protocol's official inspector, which {@link mcpInspector} has installed. */
export const MCP_INSPECTOR = path.join(
  folder,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

export const mcpInspector: Need = {
  name: `@modelcontextprotocol/inspector ${VERSION}, which npm installs into a cache`,
  present: () => existsSync(MCP_INSPECTOR) || installed(),
};

/** Installs it without running scripts of packages, and without its optional store of credentials. */
function installed(): boolean {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'installing-'));
  try {
    const quietly = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--prefix', work];
    spawnSync('npm', ['install', ...quietly, `@modelcontextprotocol/inspector@${VERSION}`], { stdio: 'ignore' });
    renameSync(work, folder);
  } catch {
    // Another test run was faster.
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return existsSync(MCP_INSPECTOR);
}
