import type { Command } from 'commander';
import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import { declareRecipeOptions, readRecipeSeries, readScope, readWhat, type RecipeFlags } from '../recipe-options.ts';
import { declareSeriesOptions, noNextStep, ofOneSide, type AskedRecording, type RecordRow } from '../series-options.ts';

export const bpftraceRow: RecordRow = {
  id: 'bpftrace',
  summary: 'record what perf can’t with bpftrace: waits, wake-ups, system calls, latency',
  example: 'flamebench record bpftrace --recipe off-cpu --pid 4242 --seconds 10',
  declare,
  read: readBpftraceRequest,
  nextStep: noNextStep,
};

function declare(command: Command): void {
  declareRecipeOptions(
    command,
    'a bpftrace script that prints stacks with counts, instead of a recipe; $1 is the PID, 0: all',
  );
  command.option('--system', 'record everything that runs').option('--sudo', 'over ssh: record as root, with sudo');
  declareSeriesOptions(command, 'also write bpftrace’s output to this file; with --repeat, FILE-1.txt…');
}

/** Throws a usage error for conflicting options. */
function readBpftraceRequest(command: Command): AskedRecording {
  const flags = command.opts<RecipeFlags>();
  const series = readRecipeSeries(command, 'bpftrace');
  const what = readWhat(command);
  return ofOneSide(series, (index): BpftraceOptions => ({
    collector: 'bpftrace',
    scope: readScope(flags, index, series.targets.length),
    what,
    seconds: flags.seconds ?? null,
    ...(flags.sudo === true ? { asRoot: true } : {}),
  }));
}
