import type { Command } from 'commander';
import type { StapOptions } from '#core/contract/stap.ts';
import { declareRecipeOptions, readRecipeSeries, readScope, readWhat, type RecipeFlags } from '../recipe-options.ts';
import { declareSeriesOptions, noNextStep, type AskedRecording, type RecordRow } from '../series-options.ts';

export const stapRow: RecordRow = {
  id: 'stap',
  summary: 'record what perf can’t with SystemTap: the recipes of bpftrace, with DWARF’s stacks',
  example: 'flamebench record stap --recipe off-cpu --pid 4242 --seconds 10',
  declare,
  read: readStapRequest,
  nextStep: noNextStep,
};

function declare(command: Command): void {
  declareRecipeOptions(
    command,
    'a .stp script that prints stacks with counts, instead of a recipe; target() is the PID, 0: all',
  );
  command
    .option('--system', 'with --script: for the whole system')
    .option('--sudo', 'over ssh: load the module as root, with sudo')
    .option(
      '--mend',
      'compile with a copy of SystemTap’s runtime that is patched for the kernel (4.8 on 6.1, 5.1 on 6.12)',
    );
  command.option(
    '--build-on <target>',
    'compile on this target instead, a host or container with the kernel headers of --target; that then needs only staprun',
  );
  declareSeriesOptions(command, 'also write SystemTap’s output to this file; with --repeat, FILE-1.txt…');
}

/** Throws a usage error for conflicting options. */
function readStapRequest(command: Command): AskedRecording {
  const flags = command.opts<RecipeFlags & { readonly mend?: true; readonly buildOn?: string }>();
  const series = readRecipeSeries(command, 'stap');
  const what = readWhat(command);
  const optionsOf = (index: number): StapOptions => ({
    collector: 'stap',
    scope: readScope(flags, index, series.targets.length),
    what,
    seconds: flags.seconds ?? null,
    ...(flags.sudo === true ? { asRoot: true } : {}),
    ...(flags.mend === true ? { mend: true } : {}),
  });
  const sides = series.targets.map((_target, index) => optionsOf(index));
  const { buildOn } = flags;
  return {
    ...series,
    ...(buildOn === undefined ? {} : { helpers: [buildOn] }),
    sides: (index, _target, _where, [on] = []) =>
      Promise.resolve([{ ...sides[index]!, ...(on === undefined ? {} : { buildOn: on }) }, undefined]),
  };
}
