import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Program whose hot lines are 7 to 9, in `mix`. */
export const HOT_SOURCE = `#include <stdlib.h>
static volatile unsigned sink;

__attribute__((noinline)) unsigned mix(unsigned seed, unsigned rounds) {
  unsigned value = seed;
  for (unsigned i = 0; i < rounds; i++) {
    value ^= value << 13;
    value ^= value >> 17;
    value ^= value << 5;
  }
  return value;
}

__attribute__((noinline)) unsigned outer(unsigned seed) {
  return mix(seed, 10000) + 1;
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? atoi(argv[1]) : 20000;
  for (unsigned i = 0; i < rounds; i++) sink = outer(i + 1);
  return 0;
}
`;

/** Compiles {@link HOT_SOURCE} with debug information into `<folder>/hot`. */
export function compileHot(folder: string, ...flags: string[]): { program: string; source: string } {
  mkdirSync(folder, { recursive: true });
  const source = join(folder, 'hot.c');
  const program = join(folder, 'hot');
  writeFileSync(source, HOT_SOURCE);
  execFileSync('cc', ['-g', '-O1', '-fno-omit-frame-pointer', ...flags, '-o', program, source]);
  return { program, source };
}

/**
 * Records into `<folder>/raw.perf.data` in pipe mode, as Flamebench does, and writes the text to `raw.perf-script.txt`
 * beside it.
 */
export function recordHot(folder: string, ...argv: string[]): { raw: string; text: string } {
  const env = { ...process.env, LC_ALL: 'C', PERF_CONFIG: '/dev/null', DEBUGINFOD_URLS: '' };
  const raw = join(folder, 'raw.perf.data');
  const text = join(folder, 'raw.perf-script.txt');
  const write = (path: string, args: readonly string[]): void => {
    const output = openSync(path, 'w');
    try {
      execFileSync('perf', args, { env, stdio: ['ignore', output, 'ignore'] });
    } finally {
      closeSync(output);
    }
  };
  write(raw, [
    'record',
    '-o',
    '-',
    '-e',
    'cpu-clock',
    '-F',
    '997',
    '-g',
    '--sample-cpu',
    '--no-bpf-event',
    '--',
    ...argv,
  ]);
  const fields = 'comm,pid,tid,cpu,time,event,period,ip,sym,symoff,dso';
  write(text, ['script', '-i', raw, '--force', '--no-inline', '--ns', '-F', fields]);
  return { raw, text };
}
