import { posix } from 'node:path';
import { isNode, type NodeOptions } from '#core/contract/node.ts';
import { judgeIdentity } from '../chosen-process.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { listListeners, parseListeners } from '../target/listeners.ts';
import { innerPid, parseCommandLine, parseFields } from '../target/proc-files.ts';
import { readProcStat, readTicksPerSecond } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { readInspectOptions } from './inspect-options.ts';

/** What is known of a process before it is touched. */
export interface NodeProcess {
  readonly pid: number;
  readonly startTicks: string;
  /** Its PID in its own namespace. */
  readonly innerPid: number;
  /** It shares the PID namespace of the target's commands, which it can watch. */
  readonly seesTarget: boolean;
  /** The port that SIGUSR1 opens; 0: any. */
  readonly port: number;
  /** The inspector's port listens already. */
  readonly isOpen: boolean;
}

/** SIGUSR1's bit of SigCgt in /proc/PID/status. */
const SIGUSR1_BIT = 1n << 9n;
/** Seconds after its start in which the signal may still end a process. */
const FIRST_SECONDS = 1;

/**
 * Finds out by reading /proc whether the signal may be sent. Throws a {@link RefusedRecording} with the reason if not; see
 * docs/runtimes.md.
 */
export async function inspectProcess(target: Target, { pid, startTicks }: NodeOptions['scope']): Promise<NodeProcess> {
  const stat = await readProcStat(target, pid);
  const other = judgeIdentity({ pid, startTicks }, stat);
  if (other !== null) throw new RefusedRecording(other.code, other.message, other.remedy);
  const text = (name: string): Promise<string> =>
    target.readFile(`/proc/${pid}/${name}`).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => '',
    );
  const [links, status, cmdline, environ, uptime, ticks] = await Promise.all([
    target.readLinks([
      `/proc/${pid}/exe`,
      ...['net', 'pid'].flatMap((name) => [`/proc/self/ns/${name}`, `/proc/${pid}/ns/${name}`]),
    ]),
    text('status'),
    text('cmdline'),
    text('environ'),
    target.readFile('/proc/uptime').then((bytes) => Number.parseFloat(new TextDecoder().decode(bytes))),
    readTicksPerSecond(target),
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
  if (net !== ownNet)
    throw new RefusedRecording(
      'other-network',
      `process ${pid} has its own network, as containers do, in which its inspector would listen`,
      'record it with perf, or run flamebench in the container',
    );
  const words = parseCommandLine(new TextEncoder().encode(cmdline));
  const nodeOptions = /(?:^|\0)NODE_OPTIONS=([^\0]*)/.exec(environ)?.[1] ?? '';
  const { port, foreignHost, isSignalDisabled } = readInspectOptions(words, nodeOptions);
  const listening = await listListeners(target, pid);
  if ('problem' in listening)
    throw new RefusedRecording('not-allowed', listening.problem, 'record as that user or as root');
  const isOpen = listening.listeners.some((one) => one.port === port);
  const common = {
    pid,
    startTicks: stat!.startTicks,
    innerPid: innerPid(status) ?? pid,
    seesTarget: pidSpace === ownPid,
    port,
    isOpen,
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
  if (uptime - Number(stat!.startTicks) / ticks < FIRST_SECONDS)
    throw new RefusedRecording(
      'too-young',
      `process ${pid} has just started, and SIGUSR1 could end it`,
      'record it a second later',
    );
  const tables = await Promise.all([text('net/tcp'), text('net/tcp6')]);
  if (port !== 0 && parseListeners(tables.join('\n'), null).some((one) => one.port === port))
    throw new RefusedRecording(
      'port-taken',
      `port ${port}, at which process ${pid} would open its inspector, is taken by another process`,
      'end what listens there, or start the process with --inspect-port=0',
    );
  return common;
}
