import type { Command } from 'commander';
import { LIBRARY_OPTION } from '../library/library-option.ts';

/** How a command reads the profile that it is given. */
export interface InputOptions {
  readonly from?: string | undefined;
  readonly kallsyms?: string;
  readonly library?: string;
}

export function addInputOptions(command: Command): void {
  command
    .option('--from <format>', 'input format; overrides detection')
    .option('--kallsyms <file>', 'copy of the recorded machine’s /proc/kallsyms, for kernel symbols in perf.data')
    .option(...LIBRARY_OPTION);
}
