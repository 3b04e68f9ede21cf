/** Modules that perf prints for code in anonymous memory, whose names a JIT map would provide. */
export const JIT_MAP_MODULE = /^(?:.*\/perf-\d+\.map|\/\/anon|\[anon:.*\]|\/memfd:.*)$/;

/** Mappings without a file, as perf's stream names them: code compiled at run time. */
export const ANONYMOUS = /^(?:\/\/anon|\[anon:|\/memfd:|\/dev\/zero|\/anon_hugepage|$)/;

/** The path of a list of compiled code with its bytes, in the format of `perf inject --jit`. */
export const JIT_DUMP = /\/jit-\d+\.dump$/;

/** How to make a runtime write `/tmp/perf-<pid>.map`. */
const ADVICE = new Map([
  ['node', 'Start it with node --perf-basic-prof --interpreted-frames-native-stack.'],
  [
    'jvm',
    'Start it with -XX:+PreserveFramePointer, and run jcmd <pid> Compiler.perfmap while it is recorded (JDK 17 or later).',
  ],
  ['python', 'Start it with python -X perf (Python 3.12 or later).'],
  ['dotnet', 'Start it with DOTNET_PerfMapEnabled=1.'],
  ['ruby', 'Start it with ruby --yjit --yjit-perf.'],
  ['php', 'Set opcache.jit_debug=0x10.'],
  ['erlang', 'Start it with erl +JPperf true.'],
  ['luajit', 'LuaJIT writes none: turn its compiler off with -joff to see the interpreter instead.'],
]);

/** Returns null for runtimes that are not known to compile code at run time. */
export function jitAdvice(runtime: string | null): string | null {
  if (runtime === null) return 'Make its runtime write /tmp/perf-<pid>.map, and record as its user or root.';
  return ADVICE.get(runtime) ?? null;
}

/**
 * Runtimes that compile most of what they run to machine code. Python, PHP and Ruby interpret unless told otherwise.
 */
const COMPILING: ReadonlySet<string> = new Set(['node', 'jvm', 'dotnet', 'luajit', 'erlang']);

export const mayCompile = (runtime: string | null): boolean => runtime !== null && COMPILING.has(runtime);
