import { Option, type Command } from 'commander';
import { MAX_NODE_SECONDS, NODE_PROFILES, type NodeOptions } from '#core/contract/node.ts';
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
}

export const nodeRow: RecordRow = {
  id: 'node',
  summary: 'sample a running Node process by its functions, with its event loop; no restart',
  example: 'flamebench record node --pid 4242 --seconds 10',
  declare,
  read(command) {
    const { profile, seconds, ...flags } = command.opts<NodeFlags>();
    return readAttached(flags, (scope) => ({ collector: 'node', scope, profile, seconds }));
  },
  nextStep: noNextStep,
};

function declare(command: Command): void {
  declareAttached(command, MAX_NODE_SECONDS).addOption(
    new Option(
      '--profile <profile>',
      'what: time, memory that is in use, or creations of requests, handles and promises',
    )
      .choices([...NODE_PROFILES])
      .default('cpu'),
  );
  declareSeriesOptions(command, 'also write the profile to this file; with --repeat, FILE-1…');
}
