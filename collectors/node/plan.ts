import { NODE_CONSENT, type NodeOptions } from '#core/contract/node.ts';
import { commandStep, type Plan } from '../collector.ts';
import { readScript } from '../read-script.ts';
import type { NodeProcess } from './checks.ts';
import { relayArgv } from './own-network.ts';

/** The file of each kind of profile. */
export const NODE_RAW_FILES: Readonly<Record<NodeOptions['profile'], string>> = {
  cpu: 'raw.cpuprofile',
  heap: 'raw.heapprofile',
  async: 'raw.folded.txt',
};

/** Time between two samples; V8's own default is the same. */
const INTERVAL_US = 1000;
/** Seconds after the planned end in which the samples are fetched. */
const GRACE_SECONDS = 60;

const AGENT = readScript(new URL('./agent.js', import.meta.url)).trim();
const CLOSER = readScript(new URL('./close-inspector.js', import.meta.url)).trim();

/** Closes the inspector once its clients have left, and returns the process's PID. */
export const CLOSE = `(${CLOSER})(); process.pid`;

export const signalArgv = (pid: number): string[] => ['kill', '-s', 'USR1', String(pid)];

/** Returns the command that runs while the process is recorded: without it, the target ends the recording by itself. */
export const guardArgv = ({ seconds }: Pick<NodeOptions, 'seconds'>): string[] => [
  'sleep',
  String(seconds + GRACE_SECONDS),
];

/** Returns the expression that starts what runs in the target. `guard`: PID of the guard as the target sees it. */
export function agentCall(settings: {
  readonly key: string;
  readonly seconds: number;
  readonly guard: number | null;
  readonly profile: NodeOptions['profile'] | 'none';
  readonly withHeap?: boolean;
  readonly sourceMaps?: boolean;
}): string {
  const given = { ...settings, seconds: settings.seconds + GRACE_SECONDS, intervalUs: INTERVAL_US };
  return `(${AGENT})(${JSON.stringify(given)})`;
}

/** Returns the expression that calls what {@link agentCall} left. */
export const agentAnswer = (key: string, call: 'take' | 'taken' | 'peek' | 'drop'): string =>
  `globalThis[Symbol.for(${JSON.stringify(key)})].${call}()`;

/** Pure. */
export function planNode(options: NodeOptions, node: NodeProcess): Plan<NodeOptions> {
  const { pid, waitedMs } = node;
  const remarks = [
    ...(waitedMs === 0
      ? []
      : [`process ${pid} had just started, so Flamebench waited ${(waitedMs / 1000).toFixed(1)} s`]),
    ...(options.sourceMaps === true ? ['at the end the process reads the source maps of the scripts that ran'] : []),
  ];
  const list = `http://127.0.0.1:${node.port === 0 ? '<port>' : node.port}/json/list`;
  const steps: Plan<NodeOptions>['steps'] = [
    ...(node.seesTarget ? [commandStep(guardArgv(options))] : []),
    ...(node.isOpen ? [] : [commandStep(signalArgv(pid))]),
    ...(node.ownNetwork === null ? [] : [commandStep(relayArgv(pid, node.ownNetwork, node.port))]),
    { kind: 'request', method: 'GET', url: list, headers: [] },
  ];
  return {
    collector: 'node',
    options,
    steps,
    piped: false,
    sudo: null,
    otherFiles: [],
    toolVersion: null,
    event: options.profile,
    // With perf there are two rates.
    rateHz: options.profile === 'cpu' && options.withPerf !== true ? 1e6 / INTERVAL_US : null,
    ...(remarks.length === 0 ? {} : { remark: remarks.join('; ') }),
    ...(node.isOpen ? {} : { note: NODE_CONSENT }),
  };
}
