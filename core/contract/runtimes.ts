import { isJava, JAVA_CONSENT } from './java.ts';
import { isNode, NODE_CONSENT } from './node.ts';
import { isPython, pythonNote } from './python.ts';
import type { CollectorId, ProcessRow } from './schemas.ts';

/** The runtime of a process, and who samples the functions that run on it; see docs/runtimes.md. */
export interface Runtime {
  readonly name: string;
  is(process: Pick<ProcessRow, 'executable' | 'runtime'>): boolean;
  /** The collector that is proposed. */
  readonly collector: CollectorId;
  /** What each tool samples, a clause. */
  readonly samples: string;
  /** What the user accepts by recording with {@link collector}. Absent: nothing. */
  readonly note?: string;
  /** The tool that samples its functions. Absent: {@link collector} does. */
  readonly tool?: RuntimeTool;
}

/** A tool that samples a runtime's functions and whose output Flamebench opens. */
interface RuntimeTool {
  readonly program: string;
  readonly install: string;
  /** Returns the command, for the process's machine. */
  readonly command: (pid: number) => string;
  /** The file that it writes. */
  readonly writes: string;
}

export const RUNTIMES: readonly Runtime[] = [
  {
    name: 'Node',
    is: isNode,
    collector: 'node',
    samples: 'node samples its JavaScript functions, perf only its native code',
    note: NODE_CONSENT,
  },
  {
    name: 'Java',
    is: isJava,
    collector: 'java',
    samples: 'java records its methods, allocations and locks, perf samples only its native code',
    note: JAVA_CONSENT,
  },
  {
    name: 'Python',
    is: isPython,
    collector: 'python',
    samples: 'python samples its functions, with --native its native code, too; perf samples only its native code',
    note: pythonNote({ stacks: 'python' }),
  },
  {
    name: 'PHP',
    is: ({ runtime }) => runtime === 'php',
    collector: 'perf',
    samples: 'phpspy samples its functions, perf only its native code',
    tool: {
      program: 'phpspy',
      install: 'build it from https://github.com/adsr/phpspy',
      command: (pid) => `phpspy --pid=${pid} --time-limit-ms=10000 | stackcollapse-phpspy.pl > php.folded`,
      writes: 'php.folded',
    },
  },
  {
    name: 'Ruby',
    is: ({ runtime }) => runtime === 'ruby',
    collector: 'perf',
    samples: 'rbspy samples its functions, perf only its native code',
    tool: {
      program: 'rbspy',
      install: 'run there: cargo install rbspy --locked',
      command: (pid) => `rbspy record --pid ${pid} --duration 10 --format speedscope --file ruby.speedscope.json`,
      writes: 'ruby.speedscope.json',
    },
  },
  {
    name: '.NET',
    is: ({ runtime }) => runtime === 'dotnet',
    collector: 'perf',
    samples: 'dotnet-trace samples its methods, perf only its native code',
    tool: {
      program: 'dotnet-trace',
      install: 'run there: dotnet tool install --global dotnet-trace',
      command: (pid) =>
        `dotnet-trace collect --process-id ${pid} --duration 00:00:00:10 --format Speedscope --output dotnet.nettrace`,
      writes: 'dotnet.speedscope.json',
    },
  },
  {
    name: 'Erlang',
    is: ({ runtime }) => runtime === 'erlang',
    collector: 'perf',
    samples: 'perf samples its native code, and its functions if it was started with +JPperf true',
  },
];

export const runtimeOf = (process: Pick<ProcessRow, 'executable' | 'runtime'>): Runtime | null =>
  RUNTIMES.find((one) => one.is(process)) ?? null;

/** Returns a sentence on who samples the functions that perf can't name; null if nobody is known. */
export function functionsSentence(process: Pick<ProcessRow, 'pid' | 'executable' | 'runtime'>): string | null {
  const found = runtimeOf(process);
  if (found === null || found.tool !== undefined) return found && toolSentence(found, process.pid);
  const { collector } = found;
  return collector === 'perf' ? null : `Record its functions: flamebench record ${collector} --pid ${process.pid}.`;
}

/** Returns a sentence on how a tool samples the functions; null if the collector does. */
export function toolSentence({ tool }: Runtime, pid: number): string | null {
  return tool === undefined
    ? null
    : `For its functions, open ${tool.writes}, which this command writes there: ${tool.command(pid)}`;
}
