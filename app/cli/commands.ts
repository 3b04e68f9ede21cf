import type { CliCommand } from './command.ts';

export interface CommandRow {
  readonly name: string;
  /** Another name, which lists leave out. */
  readonly alias?: string;
  /** One line for `flamebench --help`. */
  readonly summary: string;
  /** A typical command line, for the help of commands that show none themselves. */
  readonly example?: string;
  load(): Promise<CliCommand>;
}

/** All subcommands, in the order of the help. */
export const commands: readonly CommandRow[] = [
  {
    name: 'open',
    summary: 'open the workbench (the default), optionally with files',
    example: 'flamebench open perf.data',
    load: async () => (await import('./open/open.ts')).openCommand,
  },
  {
    name: 'serve',
    summary: 'serve the workbench to a browser on the loopback address',
    example: 'flamebench serve --port 8080',
    load: async () => (await import('./open/serve.ts')).serveCommand,
  },
  {
    name: 'record',
    summary: 'record a process, a command or the whole system',
    example: 'flamebench record perf --pid 4242 --seconds 30',
    load: async () => (await import('./record/record.ts')).recordCommand,
  },
  {
    name: 'live',
    summary: 'watch a running process: a flame graph in the window, or its functions',
    example: 'flamebench live --target ssh://web-1 --pid 4242',
    load: async () => (await import('./live/live.ts')).liveCommand,
  },
  {
    name: 'summary',
    summary: 'print where the time goes in a few lines: functions, kinds of work, threads, data quality',
    example: 'flamebench summary perf.data',
    load: async () => (await import('./summary/summary.ts')).summaryCommand,
  },
  {
    name: 'top',
    summary: 'print the functions of a profile with self and total weight',
    example: 'flamebench top perf.data --cum',
    load: async () => (await import('./top/top.ts')).topCommand,
  },
  {
    name: 'peek',
    summary: 'print functions with their callers and callees',
    example: 'flamebench peek heap.pb.gz json.Marshal',
    load: async () => (await import('./top/peek.ts')).peekCommand,
  },
  {
    name: 'traces',
    summary: 'print each sample with its stack and labels',
    example: 'flamebench traces cpu.pb.gz',
    load: async () => (await import('./top/traces.ts')).tracesCommand,
  },
  {
    name: 'list',
    summary: 'print the weight of functions’ source lines',
    example: 'flamebench list cpu.pb.gz handleSearch',
    load: async () => (await import('./top/list.ts')).listCommand,
  },
  {
    name: 'tags',
    summary: 'print the weight of each label’s values',
    example: 'flamebench tags cpu.pb.gz',
    load: async () => (await import('./top/tags.ts')).tagsCommand,
  },
  {
    name: 'goroutines',
    summary: 'print Go’s goroutines by stack, with their states and waits, or which stacks grew',
    example: 'flamebench goroutines after.txt --base before.txt',
    load: async () => (await import('./top/goroutines.ts')).goroutinesCommand,
  },
  {
    name: 'diff',
    summary: 'compare before and after: what changed, and whether it exceeds run-to-run noise',
    example: "flamebench diff before.txt after.txt --fail-on 'total(^parse_) > +5%'",
    load: async () => (await import('./diff/diff.ts')).diffCommand,
  },
  {
    name: 'explain',
    summary: 'state a finding: claims with spread, evidence, other causes, remaining doubt',
    example: 'flamebench explain before.txt after.txt --to md',
    load: async () => (await import('./explain/explain.ts')).explainCommand,
  },
  {
    name: 'report',
    summary: 'write a finding as one file that reads and works without Flamebench, or as SVG, PNG, Markdown, CSV, JSON',
    example: 'flamebench report before.txt after.txt --compare -o finding.html',
    load: async () => (await import('./report/report.ts')).reportCommand,
  },
  {
    name: 'ci',
    summary: 'gate a change: record base and head in turn, and fail if a function is shown to be slower',
    example: "flamebench ci --base origin/main --build make --fail-on 'self(^parse$) > +5%' -- ./bench",
    load: async () => (await import('./ci/ci.ts')).ciCommand,
  },
  {
    name: 'bisect',
    summary: 'find the commit that made a benchmark or a function slower',
    example: 'flamebench bisect v1.2 main --build make --function ^parse$ -- ./bench',
    load: async () => (await import('./bisect/bisect.ts')).bisectCommand,
  },
  {
    name: 'load',
    summary: 'run load tests, and read and compare results of load-testing tools, by concurrency',
    load: async () => (await import('./load/load.ts')).loadCommand,
  },
  {
    name: 'experiment',
    alias: 'experiments',
    summary: 'run two sides of a server under load in turn; list, show, export and import experiments',
    load: async () => (await import('./experiments/experiments.ts')).experimentCommand,
  },
  {
    name: 'fleet',
    summary: 'keep captures of many hosts in one database, and compare releases with hosts as replicates',
    load: async () => (await import('./fleet/fleet.ts')).fleetCommand,
  },
  {
    name: 'captures',
    summary: 'list, show, rename and delete captures, and empty the trash',
    load: async () => (await import('./captures/captures.ts')).capturesCommand,
  },
  {
    name: 'notes',
    summary: 'list, add, edit and delete notes on a capture or an experiment',
    load: async () => (await import('./notes/notes.ts')).notesCommand,
  },
  {
    name: 'annotate',
    summary: 'print the weight of a function’s source lines or instructions',
    example: 'flamebench annotate perf.data parse_line',
    load: async () => (await import('./annotate/annotate.ts')).annotateCommand,
  },
  {
    name: 'lines',
    summary: 'resolve the source lines of a capture recorded on this machine',
    example: 'flamebench lines 20261121-174422',
    load: async () => (await import('./annotate/lines.ts')).linesCommand,
  },
  {
    name: 'perf-script',
    summary: 'read a perf.data with perf, here or on the host that has the binaries',
    example: 'flamebench perf-script perf.data -o perf-script.txt',
    load: async () => (await import('./convert/perf-script.ts')).perfScriptCommand,
  },
  {
    name: 'convert',
    summary: 'convert a profile to another format',
    example: 'flamebench convert perf.data -o profile.speedscope.json',
    load: async () => (await import('./convert/convert.ts')).convertCommand,
  },
  {
    name: 'doctor',
    summary: 'check what can be recorded on a target, with remedies for what cannot',
    example: 'flamebench doctor --target ssh://web-1',
    load: async () => (await import('./targets/doctor.ts')).doctorCommand,
  },
  {
    name: 'recipes',
    summary: 'list what bpftrace and SystemTap can record, and what works on a target',
    example: 'flamebench recipes --target ssh://web-1',
    load: async () => (await import('./targets/recipes.ts')).recipesCommand,
  },
  {
    name: 'ps',
    summary: 'list the processes of a target',
    example: 'flamebench ps --filter nginx',
    load: async () => (await import('./targets/ps.ts')).psCommand,
  },
  {
    name: 'targets',
    summary: 'list, add and remove targets: the hosts to record on',
    load: async () => (await import('./targets/targets.ts')).targetsCommand,
  },
  {
    name: 'mcp',
    summary: 'answer a coding agent about profiles over stdio (Model Context Protocol), read-only',
    example: 'flamebench mcp --root ~/profiles',
    load: async () => (await import('./mcp/mcp.ts')).mcpCommand(commands),
  },
  {
    name: 'formats',
    summary: 'list the supported formats',
    example: 'flamebench formats',
    load: async () => (await import('./convert/formats.ts')).formatsCommand,
  },
  {
    name: 'completion',
    summary: 'print the completion of bash, zsh or fish',
    example: 'flamebench completion bash > ~/.local/share/bash-completion/completions/flamebench',
    load: async () => (await import('./completion/completion.ts')).completionCommand(commands),
  },
  {
    name: 'man',
    summary: 'print the manual page of Flamebench or of a command',
    example: 'flamebench man diff | man -l -',
    load: async () => (await import('./completion/man.ts')).manCommand(commands),
  },
];
