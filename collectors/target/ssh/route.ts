import { runProgram } from '../../effects/start-program.ts';
import type { SshDestination } from '#core/contract/target-id.ts';
import { ConnectionFailure } from '../connection.ts';
import { configArgv, type SshClient } from './ssh-argv.ts';

/** More hops than anybody has; a configuration may contain a cycle. */
const MAX_HOPS = 16;
const GUARDED = new Set(['ask', 'yes', 'true']);

/** What connecting needs to know of the user's configuration. */
interface Route {
  /** Host and port that are contacted first. */
  readonly server: string;
  /** The destination's ConnectTimeout: seconds, or `none`. */
  readonly connectTimeout: string | undefined;
}

/**
 * Returns the server that is contacted first: the destination itself, or the first host of ProxyJump. ssh runs itself
 * for jump hosts, without our options, so this rejects with a {@link ConnectionFailure} if the configuration would
 * accept any key of a jump host, or has a setting that no option can override in all versions.
 */
export async function resolveRoute(client: SshClient, destination: SshDestination): Promise<Route> {
  let settings = await settingsOf(configArgv(client, destination));
  if (settings.get('forkafterauthentication') === 'yes') {
    throw new ConnectionFailure(
      'ssh would go to the background after login',
      'Set ForkAfterAuthentication no for this host in ~/.ssh/config',
    );
  }
  const connectTimeout = settings.get('connecttimeout');
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
  return { server, connectTimeout };
}

const serverOf = (settings: ReadonlyMap<string, string>): string =>
  `${settings.get('hostname')}:${settings.get('port')}`;

const hopsOf = (settings: ReadonlyMap<string, string>): string[] => {
  const jump = settings.get('proxyjump') ?? 'none';
  return jump === 'none' ? [] : jump.split(',');
};

/**
 * Returns the effective configuration by lower-case names; empty if ssh can't print it, in which case connecting
 * reports the error.
 */
function settingsOf(argv: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const [program = '', ...rest] = argv;
  return new Promise((resolve) => {
    runProgram(program, rest, { timeout: 10_000 }, (error, printed) => {
      const pairs = error === null ? printed.split('\n').map((line) => /^(\S+) (.*)$/.exec(line)) : [];
      resolve(new Map(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? '']]))));
    });
  });
}
