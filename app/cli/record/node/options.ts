import { Option, type Command } from 'commander';
import { MAX_NODE_SECONDS, NODE_PROFILES, type NodeOptions } from '#core/contract/node.ts';
import { usageError } from '../../errors.ts';
import {
  declareAttached,
  declareSeriesOptions,
  noNextStep,
  readAttached,
  type RecordRow,
  type SeriesFlags,
} from '../series-options.ts';

interface NodeFlags extends SeriesFlags {
  readonly pid?: readonly number[];
  readonly profile: NodeOptions['profile'];
  readonly seconds: number;
  readonly with?: readonly ('heap' | 'perf')[];
  readonly sourceMaps?: true;
}

export const nodeRow: RecordRow = {
  id: 'node',
  summary: 'sample a running Node process by its functions, with its event loop; no restart',
  example: 'flamebench record node --pid 4242 --seconds 10',
  both: { words: ['--with', 'perf'], adds: 'its native code' },
  declare,
  read(command) {
    const { profile, seconds, with: also, sourceMaps, ...flags } = command.opts<NodeFlags>();
    if (also !== undefined && profile !== 'cpu')
      throw usageError(`--with ${also.join(' ')} is for --profile cpu, not ${profile}`, 'leave out one of them');
    if (sourceMaps !== undefined && profile === 'async')
      throw usageError('--source-maps is for --profile cpu and heap', 'leave out one of them');
    const more = {
      ...(also?.includes('perf') === true ? { withPerf: true as const } : {}),
      ...(also?.includes('heap') === true ? { withHeap: true as const } : {}),
      ...(sourceMaps === undefined ? {} : { sourceMaps }),
    };
    return readAttached(flags, (scope) => ({ collector: 'node', scope, profile, seconds, ...more }));
  },
  nextStep: noNextStep,
};

function declare(command: Command): void {
  declareAttached(command, MAX_NODE_SECONDS)
    .addOption(
      new Option('--profile <profile>', 'what: time, memory in use, or creations of requests, handles and promises')
        .choices([...NODE_PROFILES])
        .default('cpu'),
    )
    .addOption(
      new Option(
        '--with <what...>',
        'also record its memory in use or its native code (perf) in the same seconds, as value types',
      ).choices(['heap', 'perf']),
    )
    .option(
      '--source-maps',
      'let the process read the source maps of its scripts, so that functions have their sources',
    );
  declareSeriesOptions(command, 'also write the profile to this file; with --repeat, FILE-1…');
}
