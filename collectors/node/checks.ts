import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNode, type NodeOptions } from '#core/contract/node.ts';
import { expectChosen } from '../chosen-process.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { listenersWithin, parseListeners } from '../target/listeners.ts';
import { innerPid, parseCommandLine, parseFields } from '../target/proc-files.ts';
import { readTicksPerSecond } from '../target/processes.ts';
import { readText } from '../target/read-texts.ts';
import type { Target } from '../target/target.ts';
import { readInspectOptions } from './inspect-options.ts';
import { findNetworkEntry, type NetworkEntry } from './own-network.ts';

/** What is known of a process before it is touched. */
export interface NodeProcess {
  readonly pid: number;
  readonly startTicks: string;
  /** Its PID in its own namespace. */
  readonly innerPid: number;
  /** It shares the PID namespace of the target's commands, which it can watch. */
  readonly seesTarget: boolean;
  /** How commands enter its network namespace; null: it is that of the target's commands. */
  readonly ownNetwork: NetworkEntry | null;
  /** The port that SIGUSR1 opens; 0: any. */
  readonly port: number;
  /** The inspector's port listens already. */
  readonly isOpen: boolean;
  /** Milliseconds for which it was left alone because it had just started; 0: it had not. */
  readonly waitedMs: number;
}

/** SIGUSR1's bit of SigCgt in /proc/PID/status. */
const SIGUSR1_BIT = 1n << 9n;
/** Seconds after its start in which the signal may still end a process; it is left alone until then. */
const FIRST_SECONDS = 1;

/** Waits for the first seconds of a process to pass, by the target's clock. Returns the milliseconds that took. */
async function untilGrown(target: Target, startTicks: number): Promise<number> {
  const start = startTicks / (await readTicksPerSecond(target));
  const begin = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const uptime = Number.parseFloat(new TextDecoder().decode(await target.readFile('/proc/uptime')));
    const left = start + FIRST_SECONDS - uptime;
    if (!(left > 0)) return isFirst ? 0 : performance.now() - begin;
    // Both are given in hundredths of a second.
    await sleep(Math.min(left, FIRST_SECONDS) * 1000 + 10);
  }
}

/**
 * Finds out by reading /proc whether the signal may be sent. Throws a {@link RefusedRecording} with the reason if not; see
 * docs/runtimes.md.
 */
export async function inspectProcess(target: Target, { pid, startTicks }: NodeOptions['scope']): Promise<NodeProcess> {
  const chosen = await expectChosen(target, { pid, startTicks });
  const waitedMs = await untilGrown(target, Number(chosen.startTicks));
  const text = (name: string): Promise<string> => readText(target, `/proc/${pid}/${name}`);
  const [links, status, cmdline, environ] = await Promise.all([
    target.readLinks([
      `/proc/${pid}/exe`,
      ...['net', 'pid'].flatMap((name) => [`/proc/self/ns/${name}`, `/proc/${pid}/ns/${name}`]),
    ]),
    text('status'),
    text('cmdline'),
    text('environ'),
  ]);
  const [executable, ownNet, net, ownPid, pidSpace] = links;
  if (typeof executable !== 'string' || typeof net !== 'string')
    throw new RefusedRecording(
      'not-allowed',
      `process ${pid} belongs to another user, so its inspector can’t be opened`,
      'record as that user or as root',
    );
  const program = posix.basename(executable.replace(/ \(deleted\)$/, ''));
  if (!isNode({ executable }))
    throw new RefusedRecording('not-node', `process ${pid} runs ${program}, not node`, 'record it with perf');
  const ownNetwork = net === ownNet ? null : await findNetworkEntry(target, pid);
  const words = parseCommandLine(new TextEncoder().encode(cmdline));
  const nodeOptions = /(?:^|\0)NODE_OPTIONS=([^\0]*)/.exec(environ)?.[1] ?? '';
  const { port, foreignHost, isSignalDisabled } = readInspectOptions(words, nodeOptions);
  const isListened = async (): Promise<boolean> => {
    const tables = await Promise.all([text('net/tcp'), text('net/tcp6')]);
    return port !== 0 && parseListeners(tables.join('\n'), null).some((one) => one.port === port);
  };
  const wasListened = await isListened();
  const listening = await listenersWithin(target, pid);
  if (listening === null)
    throw new RefusedRecording(
      'not-allowed',
      `the ports of process ${pid} can’t be read: it belongs to another user`,
      'record as that user or as root',
    );
  const isOpen = listening.some((one) => one.port === port);
  const common = {
    pid,
    startTicks: chosen.startTicks,
    innerPid: innerPid(status) ?? pid,
    seesTarget: pidSpace === ownPid,
    ownNetwork,
    port,
    isOpen,
    waitedMs,
  };
  if (isOpen) return common;
  if (foreignHost !== null)
    throw new RefusedRecording(
      'foreign-address',
      `process ${pid} would open its inspector at ${foreignHost}, which other machines may reach`,
      'start it without that address, or record it with perf',
    );
  if (isSignalDisabled)
    throw new RefusedRecording(
      'signal-disabled',
      `process ${pid} was started with --disable-sigusr1, so its inspector can’t be opened`,
      'start it without that option, or with --inspect, or record it with perf',
    );
  const caught = BigInt(`0x${/^[0-9a-f]{1,16}$/.exec(parseFields(status).get('SigCgt') ?? '')?.[0] ?? '0'}`);
  if ((caught & SIGUSR1_BIT) === 0n)
    throw new RefusedRecording(
      'signal-not-handled',
      `process ${pid} does not handle SIGUSR1, which would end it`,
      'record it with perf',
    );
  // Another recording of the process may have opened or closed it in between.
  if (wasListened && (await isListened()))
    throw new RefusedRecording(
      'port-taken',
      `port ${port}, at which process ${pid} would open its inspector, is taken by another process`,
      'end what listens there, or start the process with --inspect-port=0',
    );
  return common;
}
