import { escapeControls } from '#core/contract/escape-controls.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { runToEnd } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';

/** Connects its input and output to a port. Only bash, which almost every Linux has, connects by itself. */
const RELAY = 'exec 3<>"/dev/tcp/$1/$2" && exec 4<&0 && { cat <&4 >&3 & cat <&3; kill "$!"; }';

/** Options of nsenter that enter the network of a process. */
export type NetworkEntry = readonly string[];

/** The second enters the network of a container that the same user made without being root. */
const ENTRIES: readonly NetworkEntry[] = [['--net'], ['--user', '--preserve-credentials', '--net']];

/** Returns the command that connects to a port of the network of a process, without any program of its container. */
export const relayArgv = (pid: number, entry: NetworkEntry, port: number, host = '127.0.0.1'): string[] => [
  ...bashIn(pid, entry, RELAY),
  'flamebench',
  host.replace(/^\[|\]$/g, ''),
  String(port),
];

const bashIn = (pid: number, entry: NetworkEntry, script: string): string[] => [
  'nsenter',
  '--target',
  String(pid),
  ...entry,
  'bash',
  '-c',
  script,
];

/** Returns how commands enter the network of a process. Throws a {@link RefusedRecording} if they may not. */
export async function findNetworkEntry(target: Target, pid: number): Promise<NetworkEntry> {
  let why = '';
  for (const entry of ENTRIES) {
    const entered = await runToEnd(target, bashIn(pid, entry, ':'), { env: { LC_ALL: 'C' } }).catch(() => null);
    if (entered?.exit.code === 0) return entry;
    why ||= entered === null ? 'nsenter is not installed' : (entered.stderr.trim().split('\n')[0] ?? '');
  }
  throw new RefusedRecording(
    'other-network',
    `process ${pid} has its own network, as containers do, in which its inspector would listen: ${escapeControls(why).slice(0, 200)}`,
    'record as root or, if you started a rootless container, as that user, with nsenter and bash; or record it with perf',
  );
}

/** Returns the same target, whose {@link Target.forwardPort} reaches the ports of the network of a process. */
export const inNetworkOf = (target: Target, pid: number, entry: NetworkEntry): Target => ({
  ...target,
  forwardPort: (port, host) => target.forwardCommand(relayArgv(pid, entry, port, host)),
});
