import { TextLines } from '#core/import/text/text-lines.ts';
import { readStart } from '../target/run-to-end.ts';
import { SpawnFailure, type RunningProcess, type Target } from '../target/target.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';

/** The source location of an instruction. */
export interface SourcePlace {
  /** Linker symbol, not demangled. Empty if unknown. */
  readonly func: string;
  /** Empty if unknown. */
  readonly file: string;
  /** 1-based; 0 if the file is unknown. */
  readonly line: number;
}

/** LLVM's program is several times faster on large binaries, if it is available. */
export const ADDR2LINE_PROGRAMS = ['llvm-addr2line', 'addr2line'];

/** Returns the argv. Each name is a single argument, and a binary's begins with `/`; addresses are passed on stdin. */
export const addr2lineArgv = (program: string, binary: string): string[] => [program, '-a', '-f', '-i', '-e', binary];

/** Number of addresses written at a time. */
const BATCH = 4096;
const ADDRESS = /^0x[0-9a-f]+$/i;
/** `file.c:12`, `file.c:12 (discriminator 2)`, `file.c:?`, `??:0` */
const PLACE = /^(.*):(\d+|\?)(?: \(discriminator \d+\))?$/;

/**
 * Resolves addresses of a binary from its debug information with one process. For each address it returns the location
 * itself first, then the calls through which it was inlined, ending with the function that contains the instruction.
 * Rejects if the process can't be started, ends early, or gives an unexpected answer.
 */
export async function lookUpAddresses(
  target: Target,
  argv: readonly string[],
  addresses: readonly number[],
  signal: AbortSignal,
): Promise<(readonly SourcePlace[])[]> {
  const process = await target.run(argv, { env: PERF_ENVIRONMENT, signal }).catch((error: unknown) => {
    throw error instanceof SpawnFailure ? new Error(error.message) : error;
  });
  const reader = readAnswers();
  const [said] = await Promise.all([
    readStart(process.stderr),
    readLines(process.stdout, (line) => reader.push(line)),
    writeAddresses(process, addresses),
  ]);
  const { code } = await process.exit;
  const answers = reader.finish();
  if (answers.length === addresses.length) return answers;
  const [first = ''] = said.trim().split('\n');
  const reason = first === '' ? `answered ${answers.length} of ${addresses.length} addresses` : first.slice(0, 300);
  throw new Error(`${argv[0]} ended${code === null || code === 0 ? '' : ` with exit code ${code}`}: ${reason}`);
}

async function writeAddresses(process: RunningProcess, addresses: readonly number[]): Promise<void> {
  try {
    for (let at = 0; at < addresses.length; at += BATCH) {
      const lines = addresses.slice(at, at + BATCH).map((address) => `0x${address.toString(16)}\n`);
      await process.write(new TextEncoder().encode(lines.join('')));
    }
  } catch {
    // The process ended early; its output says why.
  }
  process.endInput();
}

/** Parses the output: each address is followed by pairs of lines, a function and a location in it. */
function readAnswers(): { push(line: string): void; finish(): (readonly SourcePlace[])[] } {
  const answers: SourcePlace[][] = [];
  let func: string | null = null;
  return {
    push(line) {
      const own = answers.at(-1);
      if (func === null && ADDRESS.test(line)) answers.push([]);
      else if (func === null) func = line;
      else {
        if (own !== undefined) own.push(readPlace(func, line));
        func = null;
      }
    },
    finish: () => answers,
  };
}

function readPlace(func: string, text: string): SourcePlace {
  const [, file = '??', line = '?'] = PLACE.exec(text) ?? [];
  const isKnown = file !== '??' && file !== '' && line !== '?' && line !== '0';
  return { func: func === '??' ? '' : func, file: isKnown ? file : '', line: isKnown ? Number(line) : 0 };
}

async function readLines(output: AsyncIterable<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const lines = new TextLines(({ text }) => onLine(text));
  for await (const chunk of output) lines.push(chunk);
}
