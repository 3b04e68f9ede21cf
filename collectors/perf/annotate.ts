import type { Annotation } from '#core/contract/source.ts';
import type { Check } from '#core/contract/schemas.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { installPackage } from '../install-package.ts';
import { checkOf } from '../check.ts';
import { explain, type Explanation, RefusedRecording } from '../recording-failure.ts';
import { runToEnd } from '../target/run-to-end.ts';
import { SpawnFailure, type Target } from '../target/target.ts';
import { parseAnnotation } from './annotate-text.ts';
import { installAdvice } from './checks.ts';
import { cleanMessage } from '../message-log.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';

/** A function of a recording stored on the target. */
export interface AnnotateRequest {
  /** Absolute path of perf's own stream. */
  readonly rawPath: string;
  /** As `perf script` named them. */
  readonly name: string;
  readonly module: string;
  readonly kind: FunctionKind;
  /** Samples were taken in the function itself, not only in its callees. */
  readonly hasSelf: boolean;
  /** Resolves the source line of each instruction with samples: slow for binaries with much debug information. */
  readonly lines: boolean;
  /** Unix epoch milliseconds; null if unknown. */
  readonly recordedAt: number | null;
  /** Returns the file to open for the module's name; null if none may be opened. */
  readonly find: (name: string) => string | null;
}

export interface AnnotatePlan {
  readonly checks: readonly Check[];
  /** Null if a check failed. */
  readonly command: readonly string[] | null;
}

/** Explains why there is no disassembly: one line, and the remedy. */
export class AnnotateFailure extends RefusedRecording {}

const LIMITS = {
  /** objdump of a large binary takes seconds; resolving lines in it takes up to a minute. */
  timeoutMs: 60_000,
  /** Enough for the disassembly of some 200,000 instructions. */
  maxBytes: 16 * 1024 * 1024,
};

/** Returns the command for a function, or the reason why there is none. */
export async function planAnnotate(target: Target, request: AnnotateRequest): Promise<AnnotatePlan> {
  const [perfPath, objdumpPath, { distributions }] = await Promise.all([
    target.findExecutable('perf'),
    target.findExecutable('objdump'),
    readKernelSettings(target),
  ]);
  const checks = [
    perfPath === null ? failed('perf', 'perf is not installed', installAdvice(distributions)) : ok('perf', perfPath),
    checkObjdump(objdumpPath, distributions),
    checkFunction(request),
    await checkBinary(target, request),
  ];
  const possible = perfPath !== null && checks.every(({ status }) => status !== 'failed');
  return { checks, command: possible ? annotateArgv(perfPath, request) : null };
}

/** Checks for objdump, which `perf annotate` uses to disassemble. */
export function checkObjdump(path: string | null, distributions: readonly string[]): Check {
  return path === null
    ? failed('objdump', 'objdump is not installed: perf can’t disassemble', installPackage(distributions, 'binutils'))
    : ok('objdump', path);
}

const ok = (id: string, found: string): Check => checkOf(id, 'ok', found);
const failed = (id: string, found: string, remedy: string | null): Check => checkOf(id, 'failed', found, remedy);

/** perf splits the list of modules at commas, and reads `file://…` as the name of a list. */
const SAFE_MODULE = /^[/[][^,]*$/;

/** Returns the argv. Each name is part of one argument (`--symbol=…`), so it can't be taken for an option. No shell. */
function annotateArgv(perfPath: string, { rawPath, name, module, lines }: AnnotateRequest): string[] {
  return [
    perfPath,
    'annotate',
    '--stdio',
    '--stdio-color',
    'never',
    '--force',
    '--show-total-period',
    '--full-paths',
    ...(lines ? ['--print-line'] : []),
    '-i',
    rawPath,
    ...(SAFE_MODULE.test(module) ? [`--dsos=${module}`] : []),
    `--symbol=${name}`,
  ];
}

function checkFunction({ kind, name, hasSelf }: AnnotateRequest): Check {
  const id = 'function';
  switch (kind) {
    case FunctionKind.unresolved:
      return failed(
        id,
        'its addresses have no function name: the binary is stripped, or its symbols are not here',
        'install the binary’s debug symbols (or build with symbols) and record again',
      );
    case FunctionKind.jit:
      return failed(
        id,
        'it was compiled at run time, so its machine code is not in a file',
        'look at its source lines, or use the runtime’s own disassembler (node --print-opt-code, java -XX:+PrintAssembly)',
      );
    case FunctionKind.synthetic:
    case FunctionKind.interpreted:
      return failed(id, 'it has no machine code', null);
    case FunctionKind.unknown:
    case FunctionKind.user:
    case FunctionKind.kernel:
      break;
  }
  if (/\p{Cc}/u.test(name)) return failed(id, 'its name contains control characters, which perf never prints', null);
  if (hasSelf) return ok(id, name);
  return failed(id, 'it has no self samples: all of its weight is in its callees', 'annotate its callees');
}

async function checkBinary(target: Target, { kind, module, recordedAt, find }: AnnotateRequest): Promise<Check> {
  const id = 'binary';
  if (kind === FunctionKind.kernel && module.startsWith('[')) {
    return checkOf(id, 'ok', `${module}: perf looks for vmlinux`);
  }
  if (!module.startsWith('/')) {
    return checkOf(id, 'unknown', module === '' ? 'not known' : `${module} is not a file`);
  }
  const file = find(module);
  const facts = file === null ? null : await target.stat(file);
  if (facts === null) {
    const remedy =
      'put the same build back in its place (a process in a container has its files there), or record again';
    return failed(id, `${module} no longer exists`, remedy);
  }
  if (recordedAt !== null && facts.modifiedAt > recordedAt) {
    const found = `${module} was changed after the recording: instructions and weights may not belong together`;
    return checkOf(id, 'warning', found, 'record again, or put the build that was recorded back');
  }
  return ok(id, module);
}

/** Runs a planned command. Rejects with an {@link AnnotateFailure}; `signal` ends perf and its children. */
export async function runAnnotate(
  target: Target,
  command: readonly string[],
  module: string,
  signal: AbortSignal,
  { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number } = LIMITS,
): Promise<Annotation> {
  const started = performance.now();
  const options = { timeoutMs, maxBytes, signal, env: PERF_ENVIRONMENT };
  const done = await runToEnd(target, command, options).catch((error: unknown) => {
    if (!(error instanceof SpawnFailure)) throw error;
    throw new AnnotateFailure('perf-missing', error.message, 'check that perf is installed');
  });
  if (signal.aborted) throw new AnnotateFailure('cancelled', 'cancelled', null);
  if (done.exit.signal !== null && performance.now() - started >= timeoutMs) {
    throw new AnnotateFailure(
      'too-slow',
      `perf annotate took longer than ${timeoutMs / 1000} s and was ended`,
      command.includes('--print-line') ? 'turn source lines off' : 'run it in a terminal',
    );
  }
  const all = parseAnnotation(new TextDecoder().decode(done.stdout));
  const ofModule = all.filter((event) => event.module === module);
  const events = ofModule.length > 0 ? ofModule : all;
  if (events.some(({ rows }) => rows.length > 0)) {
    return { events, truncated: done.stdout.length >= maxBytes };
  }
  throw explainAnnotate(done.stderr);
}

/**
 * perf's messages (tools/perf/builtin-annotate.c, util/annotate.c: symbol__strerror_disassemble); the first match wins.
 */
const EXPLANATIONS: readonly Explanation[] = [
  {
    pattern: /No vmlinux file/,
    code: 'no-vmlinux',
    message: 'the kernel’s code can’t be read: there is no vmlinux with symbols for it, and no /proc/kcore',
    remedy:
      'install the kernel’s debug symbols (Debian: linux-image-$(uname -r)-dbg), or run as root where there is /proc/kcore',
  },
  {
    pattern: /has no samples/,
    code: 'no-samples',
    message:
      'perf finds no sample under this name: the binary has changed, or perf now resolves its symbols differently',
    remedy: 'record again with the current binary',
  },
  {
    pattern: /Error running|No output from/,
    code: 'objdump-failed',
    message: 'objdump did not disassemble the binary',
    remedy: 'check that objdump (binutils) runs, and knows the binary’s architecture',
  },
  {
    pattern: /BPF/,
    code: 'bpf',
    message: 'this perf can’t disassemble BPF programs',
    remedy: 'use bpftool prog dump jited',
  },
];

/** Explains perf's output when it disassembled nothing. */
export function explainAnnotate(stderr: string): AnnotateFailure {
  const known = explain(stderr, EXPLANATIONS);
  if (known !== null) return new AnnotateFailure(known.code, known.message, known.remedy);
  const said = cleanMessage(stderr.replaceAll(/^(?:Error|ERROR):?\s*$/gm, '')).slice(0, 300);
  return new AnnotateFailure(
    'annotate-failed',
    said === '' ? 'perf annotate printed nothing' : `perf annotate: ${said}`,
    'run the command shown in a terminal for details',
  );
}
