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
    .option('--from <format>', 'format of the input, whatever its content says')
    .option('--kallsyms <file>', 'copy of /proc/kallsyms of the recorded machine, for kernel names in perf.data')
    .option(...LIBRARY_OPTION);
}
