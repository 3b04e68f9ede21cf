import { cleanMessage } from '../message-log.ts';
import { explain, type Explanation, type RecordingFailure } from '../recording-failure.ts';
import { describeExit, type ProcessExit } from '../target/target.ts';

/** Lines that say nothing about the recording: the makefile's, the compiler's source quotes, hints to man pages. */
const NOISE =
  /^(?:make(?:\[\d+\])?: |\s*\d* *\||Tip: |In file included from| {10,}from |WARNING: Kernel function symbol table missing|WARNING: Missing unwind data|WARNING: (?:Number of errors: 0, skipped probes: 0))/;

export const isNoise = (line: string): boolean => line.trim() === '' || NOISE.test(line);

export const NO_LUAJIT_TYPES =
  'install it: openresty-debuginfo, libluajit2-5.1-2-dbgsym or the like; or build LuaJIT with CCDEBUG=-g';
const MEND = 'mend a copy of its runtime (--mend); or install SystemTap 5.2 or newer; or record with bpftrace';
const RUN_STAP_PREP = 'run: sudo stap-prep';

/**
 * Messages of SystemTap 4.8 to 5.1 and of what it calls (gcc, insmod). The first match applies, so specific ones come
 * first.
 */
const EXPLANATIONS: readonly Explanation[] = [
  {
    pattern: /^mend: /m,
    code: 'not-mended',
    message: 'this version of SystemTap’s runtime can’t be mended',
    remedy: 'install SystemTap 5.2 or newer; or record with bpftrace',
  },
  {
    pattern: /kallsyms_task_work_cancel|task_work_cancel.*incompatible pointer/,
    code: 'stap-older-than-kernel',
    message: 'this version of SystemTap can’t compile for this kernel (task_work_cancel changed in 6.1.y)',
    remedy: MEND,
  },
  {
    pattern: /uprobe_unregister/,
    code: 'stap-older-than-kernel',
    message: 'this version of SystemTap can’t use this kernel’s uprobes (uprobe_unregister changed in 6.12)',
    remedy: MEND,
  },
  {
    pattern: /"?COUNT_ARGS"? redefined/,
    code: 'stap-older-than-kernel',
    message: 'this version of SystemTap can’t read this kernel’s tracepoints (COUNT_ARGS)',
    remedy: MEND,
  },
  {
    pattern:
      /(?:lib\/modules|build).*(?:\.config|Makefile|build)"? failed with error|Incorrect version or missing kernel-devel/,
    code: 'no-headers',
    message: 'the headers of the running kernel are not installed',
    remedy: 'install linux-headers-$(uname -r) or kernel-devel-$(uname -r)',
  },
  {
    pattern:
      /while resolving probe point: identifier 'kernel'[^]*?kernel\.trace|kernel\.trace\([^]*?semantic error: no match/,
    code: 'no-tracepoint',
    message: 'stap does not find the kernel’s tracepoint',
    remedy:
      'mend SystemTap (--mend), which also deletes the empty files that an interrupted query leaves (find ~/.systemtap/cache -name "tracequery_*" -size 0 -delete)',
  },
  {
    pattern: /type definition '(?:GG_State|global_State|lua_State|MRef|GC\w+)' not found/,
    code: 'no-luajit-types',
    message: 'LuaJIT’s debuginfo is not installed, and its types are unknown without it',
    remedy: NO_LUAJIT_TYPES,
  },
  {
    pattern: /missing .*(?:kernel|module).*debuginfo|needs? .*debuginfo|unable to find.*debuginfo/i,
    code: 'no-debuginfo',
    message: 'the script needs debuginfo that is not installed',
    remedy: RUN_STAP_PREP,
  },
  {
    pattern: /process return probes not available/,
    code: 'no-return-probes',
    message: 'stap needs the kernel’s symbol table to probe returns of functions',
    remedy: 'run: sudo stap-prep; or, without debuginfo, as root: cp /proc/kallsyms /boot/System.map-$(uname -r)',
  },
  {
    pattern: /identifier 'process'[^]*no match/,
    code: 'no-such-function',
    message: 'the executable has no such function',
    remedy: 'list its functions: nm -C EXECUTABLE; a stripped binary needs its symbol table',
  },
  {
    pattern: /parse error|semantic error|unresolved (?:function|target-symbol|type)/,
    code: 'script-error',
    message: 'stap does not accept the script',
    remedy: 'correct it; stap -p2 -e SCRIPT shows how it is read',
  },
  {
    pattern: /trying to run systemtap as a normal user|staprun: Permission denied|not a member of|group "stapusr"/,
    code: 'not-permitted',
    message: 'this user may not load modules of SystemTap',
    remedy: 'run: sudo usermod -aG stapusr,stapdev $USER, and log in again; or use --sudo',
  },
  {
    pattern: /Key was rejected|Required key not available|[Ll]ockdown|Couldn't insert module.*Operation not permitted/,
    code: 'unsigned-module',
    message: 'the kernel loads only signed modules (Secure Boot or lockdown)',
    remedy: 'sign with a key of the machine’s owner (mokutil), turn Secure Boot off, or record with perf or bpftrace',
  },
  {
    pattern: /Couldn't insert module.*(?:Invalid module format|Exec format|Unknown symbol)/,
    code: 'other-kernel',
    message: 'the module was compiled for another kernel',
    remedy: 'install the headers of exactly the running kernel, and record again',
  },
  {
    pattern: /Couldn't insert module.*(?:Cannot allocate memory)|Cannot allocate memory|out of memory/i,
    code: 'no-memory',
    message: 'the machine has too little memory for the module',
    remedy: 'free some memory there',
  },
  {
    pattern: /probe overhead exceeded threshold/,
    code: 'overload',
    message: 'the probes took more than half of the CPU time, so SystemTap ended them',
    remedy: 'record a lower rate, or a recipe with fewer events',
  },
  {
    pattern: /MAXMAPENTRIES|Array overflow/,
    code: 'map-full',
    message: 'a map of the script is full',
    remedy: 'give it more entries (global name[N]), or clear it each second',
  },
  {
    pattern: /MAXSKIPPED|Skipped too many probes/,
    code: 'skipped',
    message: 'too many probes were skipped because their variables were in use',
    remedy: 'record a lower rate',
  },
  {
    pattern: /MAXACTION exceeded/,
    code: 'maxaction',
    message: 'a probe did more than it may',
    remedy: 'do less in it, or print from a timer',
  },
  {
    pattern: /No space left on device/,
    code: 'target-disk-full',
    message: 'the target’s disk is full: stap compiles in its temporary folder',
    remedy: 'free some space there',
  },
  {
    pattern:
      /gcc: (?:not found|command not found)|make: (?:not found|command not found)|No such file or directory.*gcc/,
    code: 'no-compiler',
    message: 'there is no compiler on the target',
    remedy: 'install gcc and make',
  },
];

/** Explains why stap or staprun ended by itself, and adds its own error line. */
export function explainStapFailure(stderr: string, exit: ProcessExit): RecordingFailure {
  const known = explain(stderr, EXPLANATIONS);
  const lines = stderr.split('\n').filter((line) => !isNoise(line));
  const said = lines.find((line) => /\berror: |^ERROR: |parse error/.test(line)) ?? lines.at(-1) ?? null;
  const detail = said === null ? '' : `: ${cleanMessage(said.replace(/^ERROR: /, '')).slice(0, 300)}`;
  if (known !== null) return { ...known, message: known.message + detail };
  return { code: 'stap-failed', message: `SystemTap failed (${describeExit(exit)})${detail}`, remedy: null };
}
