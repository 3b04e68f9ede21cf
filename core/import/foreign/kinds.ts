import type { FailureClass, ReadingTool } from '../../model/failure.ts';
import type { Head } from '../importer.ts';

/** A kind of file that no importer reads. */
export interface ForeignKind {
  /** What the file is. */
  readonly what: string;
  /** How to get a file that Flamebench reads, with the command; absent for content that is no profile. */
  readonly remedy?: string;
  /** `unsupported` if there is a remedy, by default. */
  readonly failure?: FailureClass;
  /** The tool that the engine can run to read it. */
  readonly tool?: ReadingTool;
  /** The first characters, one per byte, or a pattern of them. */
  readonly magic?: string | RegExp;
  /** A pattern of the head's text, for content without NUL. */
  readonly words?: RegExp;
  /** A pattern of the file's name, for binary formats whose first bytes say nothing. */
  readonly name?: RegExp;
}

const PERF = 'record the program with `flamebench record` (perf) instead';
const JFR = 'record allocations with `jcmd PID JFR.start settings=profile filename=FILE.jfr` and open that';
const TRACECONV = 'run `traceconv json FILE FILE.json` and open the result';
const XDEBUG = 'profile with Xdebug (`php -d xdebug.mode=profile SCRIPT`) and open its cachegrind.out file';

/** The first match wins, so the specific ones come first. */
export const FOREIGN_KINDS: readonly ForeignKind[] = [
  { what: 'an executable, not a profile', magic: /^(?:\x7fELF|MZ)/, failure: 'unrecognized' },
  { what: 'compressed with xz', remedy: 'run `xz -d FILE` and open the result', magic: '\xfd7zXZ\0' },
  { what: 'compressed with bzip2', remedy: 'run `bzip2 -d FILE` and open the result', magic: /^BZh[1-9]1AY/ },
  { what: 'a tar archive', remedy: 'run `tar -xf FILE` and open the profile in it', magic: /^[^]{257}ustar/ },
  {
    what: 'an allocation log of memray',
    remedy: 'run `memray transform speedscope -o FILE.json FILE` and open that',
    magic: /^(?:\x04"M\x18[^]{0,24})?memray/,
  },
  { what: 'compressed with LZ4', remedy: 'run `lz4 -d FILE OUTPUT` and open OUTPUT', magic: '\x04"M\x18' },
  {
    what: "a dump of Ruby's Marshal, as StackProf writes",
    remedy: 'run `stackprof --json FILE > FILE.json` and open that',
    magic: '\x04\x08{',
  },
  {
    what: 'what `pprof --raw` of gperftools printed, with symbols',
    remedy: 'open the profile it was made from',
    magic: /^--- symbol\r?\nbinary=/,
  },
  {
    what: 'a trace of .NET (nettrace)',
    remedy: 'run `dotnet-trace convert --format speedscope FILE` and open the result',
    magic: /^(?:Nettrace|\x14\0\0\0!FastSerialization\.1)/,
  },
  {
    what: 'an event trace of Windows (ETL)',
    remedy: 'open it in PerfView and save its CPU stacks as speedscope (*File*, *Save View As*)',
    magic: /^[^]{72}\x02\0[\x01\x02]\xc0/,
    name: /\.etlx?$/i,
  },
  { what: 'a heap dump of Java (hprof), which has objects but no stacks', remedy: JFR, magic: 'JAVA PROFILE 1.0' },
  {
    what: 'a recording of heaptrack',
    remedy: 'run `heaptrack_print -f FILE -F FILE.folded` and open FILE.folded',
    words: /^v [0-9a-f]{4,6} [0-9a-f]\r?\n[XI] /,
  },
  {
    what: 'a report of NVIDIA Nsight Systems',
    remedy:
      'run `nsys export --type sqlite -o FILE.sqlite FILE`, then `nsys2json.py FILE.sqlite -o FILE.json`, and open that',
    name: /\.(?:nsys-rep|qdrep|qdstrm)$/i,
  },
  {
    what: 'an SQLite database, as `nsys export` and nvprof write',
    remedy: 'run `nsys2json.py FILE -o FILE.json` and open that, or export a profile from the tool that wrote it',
    magic: 'SQLite format 3\0',
  },
  {
    what: 'a capture of Tracy, which no tool converts',
    remedy: PERF,
    magic: /^(?:tlZ\x04|tZst|tr\xfdP|tracy)/,
  },
  {
    what: 'a trace in Fuchsia’s format (fxt), as magic-trace writes',
    remedy: TRACECONV,
    magic: '\x10\0\x04FxT\x16\0',
  },
  {
    what: 'a capture of Sysprof, which no tool converts',
    remedy: PERF,
    magic: /^(?:\x5e\x97\xca\xfd|\xfd\xca\x97\x5e)/,
  },
  { what: 'a trace of trace-cmd, which no tool converts', remedy: PERF, magic: '\x17\x08Dtracing' },
  {
    what: 'a profile of gprof (gmon.out), which has no stacks',
    remedy: 'run the program as `valgrind --tool=callgrind PROGRAM` and open callgrind.out.PID',
    magic: 'gmon\x01',
  },
  {
    what: 'the output of gprof, which has no stacks',
    remedy: 'run the program as `valgrind --tool=callgrind PROGRAM` and open callgrind.out.PID',
    words: /^(?:Flat profile:|[ \t]*Call graph \(explanation follows\))\s*$/m,
  },
  {
    what: 'a trace of LTTng (CTF), which no tool converts',
    remedy: PERF,
    magic: /^(?:\xc1\x1f\xfc\xc1|\xc1\xfc\x1f\xc1|\x57\x1d\xd1\x75|\x75\xd1\x1d\x57|\/\* CTF 1\.)/,
  },
  {
    what: 'a method trace of Android (ART)',
    remedy: TRACECONV,
    magic: /^(?:SLOW[\x01-\xff]|\*version\r?\n)/,
  },
  {
    what: 'an execution trace of Go',
    remedy:
      'run `flamebench go-trace FILE -o FILE.flamebench` where Go is installed, or `go tool trace -pprof=sync FILE > FILE.pb` (or `net`, `syscall`, `sched`), and open that',
    tool: 'go-execution-trace',
    magic: /^go 1\.\d{1,2} trace\0/,
  },
  {
    what: 'a trace of Perfetto',
    remedy: TRACECONV,
    name: /\.(?:pftrace|perfetto-trace|perfetto)$/i,
  },
  {
    what: 'a raw recording of rbspy',
    remedy: 'run `rbspy report -f speedscope -i FILE -o FILE.json` and open that',
    magic: /^rbspy\d\d\n/,
  },
  {
    what: 'a profile of VisualVM or NetBeans, which no tool converts',
    remedy: 'record with `jcmd PID JFR.start settings=profile filename=FILE.jfr` and open that',
    magic: 'nBpRoFiLeR',
  },
  {
    what: "a dump of Python's pickle, as tracemalloc and line_profiler write, which no tool converts",
    remedy: 'record with `py-spy record -f speedscope -o FILE.json -- python SCRIPT` and open that',
    magic: /^\x80[\x02-\x05](?:\x95|[}(\]c])/,
  },
  {
    what: 'a profile of XHProf, which has pairs of functions but no stacks',
    remedy: XDEBUG,
    words: /^\s*(?:a:\d+:\{s:\d+:"|\{\s*")main\(\)(?:==>[^"]*)?"\s*[;:]/,
  },
  {
    what: 'a profile of Blackfire, which no tool converts',
    remedy: XDEBUG,
    words: /^file-format: Blackfire/,
  },
  {
    what: 'a function trace of Xdebug',
    remedy: 'write it with `-d xdebug.trace_format=1`, run `stackcollapse-xdebug.php FILE > FILE.folded` and open that',
    words: /^(?:Version: [\d.]+\S*\r?\nFile format: \d|TRACE START \[)/,
  },
  {
    what: 'a snapshot of Dart DevTools',
    remedy: 'run `jq \'.["cpu-profiler"] | {stackFrames, samples: .traceEvents}\' FILE > FILE.json` and open that',
    words: /^\s*\{\s*"devToolsSnapshot"\s*:/,
  },
  {
    what: 'CPU samples of the Dart VM',
    remedy:
      'export the profile from the CPU profiler of Dart DevTools, run `jq \'.["cpu-profiler"] | {stackFrames, samples: .traceEvents}\' FILE > FILE.json` and open that',
    words: /^\s*\{\s*"type"\s*:\s*"_?CpuSamples"/,
  },
  {
    what: 'an analysis of Erlang’s fprof',
    remedy: 'run `erlgrind FILE FILE.cgrind` and open that',
    words: /^(?:%% +Analysis results:|\{\s*analysis_options,)/m,
  },
  {
    what: 'a crash dump of Erlang, not a profile',
    remedy: 'run the node with `erl +JPperf true` and record it with `flamebench record`',
    words: /^=erl_crash_dump:/,
  },
  {
    what: 'the output of `perf stat`, which has no stacks',
    remedy: PERF,
    words: /^ Performance counter stats for /m,
  },
  {
    what: 'the output of `perf diff`, which has no stacks',
    remedy: 'compare the two recordings with `flamebench diff BEFORE AFTER`',
    words: /^# Baseline +Delta/m,
  },
  {
    what: 'the output of `perf annotate`, `perf sched timehist` or a dump of `perf script -D`',
    remedy: 'open the perf.data that it was printed from',
    words: /^ Percent \|\s+Source code|^ +time +cpu +task name +wait time|^\. \.\.\. raw event: size \d/m,
  },
  {
    what: 'stacks of `perf script` without the lines of their samples',
    remedy: 'print them without `-F`, or add fields: `perf script -F +srcline > FILE.txt`',
    words: /^\s*\n?\t {1,15}[0-9a-f]{3,16} \S/,
  },
  {
    what: 'a text trace of ftrace',
    remedy: TRACECONV,
    words: /^# tracer: \w+\s*$/m,
  },
  {
    what: 'a session of pyinstrument',
    remedy: 'run `pyinstrument --load FILE -r json -o FILE.json` and open that',
    words: /^\s*\{\s*"session"\s*:\s*\{[^]{0,4000}"frame_records"/,
  },
  {
    what: 'a profile of Scalene',
    remedy: 'record with `py-spy record -f speedscope -o FILE.json -- python SCRIPT` and open that',
    words: /^\s*\{\s*"alloc_samples"\s*:/,
  },
  {
    what: 'a profile of Coz, which has no stacks',
    remedy: PERF,
    words: /^startup\ttime=\d/,
  },
  {
    what: 'a page of pyinstrument',
    remedy: 'write `pyinstrument -r json -o FILE.json` and open that',
    words: /^\s*<!DOCTYPE html>[^]{0,2000}pyinstrumentHTMLRenderer/,
  },
  { what: 'a web page, not a profile', words: /^\s*<(!doctype html|html)\b/i },
  {
    what: 'an SVG picture',
    remedy: 'open the profile it was drawn from',
    failure: 'unrecognized',
    words: /^\s*(<\?xml[^>]*>\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg\b/i,
  },
];

/** Returns whether the head or, for binary content, the file's name is of the kind. */
export function isOfKind({ magic, words, name }: ForeignKind, head: Head, first: string, fileName: string): boolean {
  if (typeof magic === 'string' ? first.startsWith(magic) : magic?.test(first) === true) return true;
  const isText = !head.bytes.includes(0);
  return isText ? words?.test(head.text) === true : name?.test(fileName.replace(/\.(?:gz|zst)$/i, '')) === true;
}
