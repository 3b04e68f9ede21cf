import type { Command } from 'commander';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { Profile } from '#core/model/profile.ts';
import { collect } from '../option-values.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { chooseThreads } from './choose-threads.ts';
import { chooseTime } from './choose-time.ts';
import { chooseValueType } from './choose-value-type.ts';

/** How a command reads its profile. */
export interface InputOptions {
  readonly from?: string | undefined;
  readonly kallsyms?: string | undefined;
  readonly binary?: readonly string[] | undefined;
  readonly library?: string | undefined;
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

/** Which samples of a profile count, and by which of their weights. */
export interface SelectionOptions {
  readonly type?: string | undefined;
  readonly thread?: readonly string[] | undefined;
  readonly time?: string | undefined;
}

export function addSelectionOptions(
  command: Command,
  type = 'value type, as type or type/unit; default: the profile’s own',
): Command {
  return command
    .option('--type <type>', type)
    .option('--thread <id-or-name>', 'only this thread (repeatable)', collect)
    .option('--time <start..end>', 'only samples in this time range, in seconds after the first sample');
}

export const chooseSelection = (profile: Profile, { type, thread = [], time }: SelectionOptions): Selection => ({
  valueType: chooseValueType(profile, type),
  threads: chooseThreads(profile, thread),
  timeRange: chooseTime(profile, time),
});
