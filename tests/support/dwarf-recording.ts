import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Program that uses 0.3 s of CPU time in `hot`, which `middle`, `outer` and `main` call. */
const SOURCE = `#include <time.h>
volatile unsigned long sink;
__attribute__((noinline)) void hot(unsigned rounds) { for (unsigned i = 0; i < rounds; i++) sink += i * i; }
__attribute__((noinline)) void middle(unsigned rounds) { hot(rounds); sink++; }
__attribute__((noinline)) void outer(unsigned rounds) { middle(rounds); sink++; }
int main(void) {
  while (clock() < CLOCKS_PER_SEC * 3 / 10) outer(100000);
  return 0;
}
`;

export const CALLERS = ['hot', 'middle', 'outer', 'main'];

interface RecordingOptions {
  /** Default `dwarf`, for a program without frame pointers; `fp` compiles with them. */
  readonly callGraph?: 'dwarf' | 'fp';
  /** Writes the stream of `perf record -o -`. */
  readonly stream?: boolean;
}

/** Compiles the program and records it with perf, into `<folder>/app.perf.data`. */
export function recordCallers(folder: string, { callGraph = 'dwarf', stream = false }: RecordingOptions = {}): string {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'app');
  writeFileSync(`${program}.c`, SOURCE);
  const pointers = callGraph === 'fp' ? '-fno-omit-frame-pointer' : '-fomit-frame-pointer';
  execFileSync('cc', ['-g', '-O2', pointers, '-fno-optimize-sibling-calls', '-o', program, `${program}.c`]);
  const path = join(folder, 'app.perf.data');
  const output = stream ? openSync(path, 'w') : 'ignore';
  const options = ['-q', '-e', 'cpu-clock:u', '-F', '499', '--call-graph', callGraph, '-o', stream ? '-' : path];
  try {
    const env = { ...process.env, LC_ALL: 'C', PERF_CONFIG: '/dev/null', DEBUGINFOD_URLS: '' };
    execFileSync('perf', ['record', ...options, '--', program], { env, stdio: ['ignore', output, 'ignore'] });
  } finally {
    if (typeof output === 'number') closeSync(output);
  }
  return path;
}
