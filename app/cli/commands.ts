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
    summary: 'serve the workbench to a browser on the loopback address',
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
    name: 'peek',
    summary: 'print functions with their callers and callees',
    load: async () => (await import('./top/peek.ts')).peekCommand,
  },
  {
    name: 'traces',
    summary: 'print each sample with its stack and labels',
    load: async () => (await import('./top/traces.ts')).tracesCommand,
  },
  {
    name: 'list',
    summary: 'print the weight of functions’ source lines',
    load: async () => (await import('./top/list.ts')).listCommand,
  },
  {
    name: 'tags',
    summary: 'print the weight of each label’s values',
    load: async () => (await import('./top/tags.ts')).tagsCommand,
  },
  {
    name: 'diff',
    summary: 'compare before and after: what changed, and whether it exceeds run-to-run noise',
    load: async () => (await import('./diff/diff.ts')).diffCommand,
  },
  {
    name: 'experiments',
    summary: 'list, export and import experiments, with their captures',
    load: async () => (await import('./experiments/experiments.ts')).experimentsCommand,
  },
  {
    name: 'captures',
    summary: 'list, show, rename and delete captures, and empty the trash',
    load: async () => (await import('./captures/captures.ts')).capturesCommand,
  },
  {
    name: 'annotate',
    summary: 'print the weight of a function’s source lines or instructions',
    load: async () => (await import('./annotate/annotate.ts')).annotateCommand,
  },
  {
    name: 'lines',
    summary: 'resolve the source lines of a capture recorded on this machine',
    load: async () => (await import('./annotate/lines.ts')).linesCommand,
  },
  {
    name: 'perf-script',
    summary: 'read a perf.data with perf, here or on the host that has the binaries',
    load: async () => (await import('./convert/perf-script.ts')).perfScriptCommand,
  },
  {
    name: 'convert',
    summary: 'convert a profile to another format',
    load: async () => (await import('./convert/convert.ts')).convertCommand,
  },
  {
    name: 'doctor',
    summary: 'check what can be recorded on a target, with remedies for what cannot',
    load: async () => (await import('./targets/doctor.ts')).doctorCommand,
  },
  {
    name: 'ps',
    summary: 'list the processes of a target',
    load: async () => (await import('./targets/ps.ts')).psCommand,
  },
  {
    name: 'targets',
    summary: 'list, add and remove targets: the hosts to record on',
    load: async () => (await import('./targets/targets.ts')).targetsCommand,
  },
  {
    name: 'formats',
    summary: 'list the supported formats',
    load: async () => (await import('./convert/formats.ts')).formatsCommand,
  },
];
