import type { Command } from 'commander';
import { collect } from '../option-values.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';

/** How a command reads its profile. */
export interface InputOptions {
  readonly from?: string | undefined;
  readonly kallsyms?: string;
  readonly binary?: readonly string[];
  readonly library?: string;
}

export function addInputOptions(command: Command): void {
  command
    .option('--from <format>', 'input format; overrides detection')
    .option('--kallsyms <file>', 'copy of the recorded machine’s /proc/kallsyms, for kernel symbols in perf.data')
    .option(
      '--binary <file>',
      'binary to take names, lines and inlined calls of a pprof profile from; repeatable',
      collect,
    )
    .option(...LIBRARY_OPTION);
}
