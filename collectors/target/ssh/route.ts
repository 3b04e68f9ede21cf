import { execFile } from 'node:child_process';
import type { SshDestination } from '#core/contract/target.ts';
import { ConnectionFailure } from '../connection.ts';
import { configArgv, type SshClient } from './ssh-argv.ts';

/** More hops than anybody has; a configuration may name a circle. */
const MAX_HOPS = 16;
const GUARDED = new Set(['ask', 'yes', 'true']);

/**
 * The server that is asked first: the destination itself, or the first host of ProxyJump. ssh starts itself for jump hosts, without the options
 * that we set: rejects with a {@link ConnectionFailure} where the configuration would let it take any key of one of them, or has what no option
 * of all versions takes back.
 */
export async function resolveRoute(client: SshClient, destination: SshDestination): Promise<string> {
  let settings = await settingsOf(configArgv(client, destination));
  if (settings.get('forkafterauthentication') === 'yes') {
    throw new ConnectionFailure(
      'ssh would go to the background after login',
      'Set ForkAfterAuthentication no for this host in ~/.ssh/config',
    );
  }
  let server = serverOf(settings);
  let left = MAX_HOPS;
  for (let hops = hopsOf(settings); hops.length > 0; hops = hopsOf(settings)) {
    for (const hop of hops.toReversed()) {
      if (left === 0) throw new ConnectionFailure('ssh has too many jump hosts', 'Check ProxyJump in ~/.ssh/config');
      left -= 1;
      settings = await settingsOf(configArgv(client, hop));
      const checking = settings.get('stricthostkeychecking') ?? 'ask';
      if (!GUARDED.has(checking)) {
        throw new ConnectionFailure(
          `ssh would accept any host key from the jump host ${hop}`,
          `Set StrictHostKeyChecking ask for ${hop} in ~/.ssh/config`,
        );
      }
      server = serverOf(settings);
    }
  }
  return server;
}

const serverOf = (settings: ReadonlyMap<string, string>): string =>
  `${settings.get('hostname')}:${settings.get('port')}`;

const hopsOf = (settings: ReadonlyMap<string, string>): string[] => {
  const jump = settings.get('proxyjump') ?? 'none';
  return jump === 'none' ? [] : jump.split(',');
};

/** What the configuration comes to, by lower-case names; empty where ssh can't say, which it then does when it connects. */
function settingsOf(argv: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const [program = '', ...rest] = argv;
  return new Promise((resolve) => {
    execFile(program, rest, { timeout: 10_000 }, (error, printed) => {
      const pairs = error === null ? printed.split('\n').map((line) => /^(\S+) (.*)$/.exec(line)) : [];
      resolve(new Map(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? '']]))));
    });
  });
}
