import { Option, type Command } from 'commander';
import { MAX_NODE_SECONDS, NODE_PROFILES, type NodeOptions } from '#core/contract/node.ts';
import { usageError } from '../../errors.ts';
import {
  collectPids,
  declareSeriesOptions,
  noNextStep,
  ofTarget,
  readSeries,
  wholeNumberOption,
  type AskedRecording,
  type RecordRow,
  type SeriesFlags,
} from '../series-options.ts';

interface NodeFlags extends SeriesFlags {
  readonly pid?: readonly number[];
  readonly profile: NodeOptions['profile'];
  readonly seconds: number;
}

const DEFAULT_SECONDS = 10;

export const nodeRow: RecordRow = {
  id: 'node',
  summary: 'sample a running Node process by its functions, with its event loop; no restart',
  example: 'flamebench record node --pid 4242 --seconds 10',
  declare,
  read: readNodeRequest,
  nextStep: noNextStep,
};

function declare(command: Command): void {
  command
    .option('--pid <pid>', 'record this process; with several targets, one PID for each, in order', collectPids)
    .addOption(
      new Option(
        '--profile <profile>',
        'what: time, memory that is in use, or creations of requests, handles and promises',
      )
        .choices([...NODE_PROFILES])
        .default('cpu'),
    )
    .option('--seconds <seconds>', 'how long', wholeNumberOption(1, MAX_NODE_SECONDS), DEFAULT_SECONDS);
  declareSeriesOptions(command, 'also write the profile to this file; with --repeat, FILE-1…');
}

/** Throws a usage error for conflicting options. */
function readNodeRequest(command: Command): AskedRecording {
  const flags = command.opts<NodeFlags>();
  const series = readSeries(flags);
  if (series.container !== null)
    throw usageError('docker://, podman:// and kubectl:// are for perf and pprof', 'give the process with --pid');
  const sides = series.targets.map((_target, index): NodeOptions => {
    const pid = ofTarget('--pid', flags.pid, index, series.targets.length);
    if (pid === undefined) throw usageError('no process given', 'give --pid N; flamebench ps lists processes');
    const { profile, seconds } = flags;
    return { collector: 'node', scope: { kind: 'pid', pid, startTicks: null }, profile, seconds };
  });
  return { ...series, sides: (index) => Promise.resolve([sides[index]!, undefined]) };
}
