import type { CliCommand } from './command.ts';

export interface CommandRow {
  readonly name: string;
  /** One line for `flamebench --help`. */
  readonly summary: string;
  load(): Promise<CliCommand>;
}

/** Every subcommand, in the order that the help prints. */
export const commands: readonly CommandRow[] = [
  {
    name: 'open',
    summary: 'open the workbench (the default), optionally with files',
    load: async () => (await import('./open/open.ts')).openCommand,
  },
  {
    name: 'serve',
    summary: 'serve the workbench for a browser on the loopback address',
    load: async () => (await import('./open/serve.ts')).serveCommand,
  },
  {
    name: 'record',
    summary: 'record a process, a command or the whole system',
    load: async () => (await import('./record/record.ts')).recordCommand,
  },
  {
    name: 'top',
    summary: 'print the functions of a profile with self and total weight',
    load: async () => (await import('./top/top.ts')).topCommand,
  },
  {
    name: 'diff',
    summary: 'print what changed between a before and an after, and whether that is real',
    load: async () => (await import('./diff/diff.ts')).diffCommand,
  },
  {
    name: 'experiments',
    summary: 'list experiments, write one with its captures to a file, or take one from a file',
    load: async () => (await import('./experiments/experiments.ts')).experimentsCommand,
  },
  {
    name: 'captures',
    summary: 'list, show, rename and delete captures, and empty the trash',
    load: async () => (await import('./captures/captures.ts')).capturesCommand,
  },
  {
    name: 'annotate',
    summary: 'print what each source line or instruction of a function weighs',
    load: async () => (await import('./annotate/annotate.ts')).annotateCommand,
  },
  {
    name: 'lines',
    summary: 'look up the source lines of a recording that was made here',
    load: async () => (await import('./annotate/lines.ts')).linesCommand,
  },
  {
    name: 'perf-script',
    summary: 'have perf read a perf.data, here or on the host that has the binaries',
    load: async () => (await import('./convert/perf-script.ts')).perfScriptCommand,
  },
  {
    name: 'convert',
    summary: 'write a profile in another format',
    load: async () => (await import('./convert/convert.ts')).convertCommand,
  },
  {
    name: 'doctor',
    summary: 'check what can be recorded on a target, and say what to do about what cannot',
    load: async () => (await import('./targets/doctor.ts')).doctorCommand,
  },
  {
    name: 'ps',
    summary: 'list the processes of a target, to choose one to record',
    load: async () => (await import('./targets/ps.ts')).psCommand,
  },
  {
    name: 'targets',
    summary: 'list, add and remove the hosts to record on',
    load: async () => (await import('./targets/targets.ts')).targetsCommand,
  },
  {
    name: 'formats',
    summary: 'list the formats that are read and written',
    load: async () => (await import('./convert/formats.ts')).formatsCommand,
  },
];
