import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs `calm`, with low priority, until SIGUSR1 arrives, then `storm`; prints a line when it is ready. */
const SOURCE = `#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t changed;
static volatile unsigned sink;
static void on_signal(int number) { changed = number; }

__attribute__((noinline)) unsigned calm(unsigned seed) {
  for (unsigned i = 0; i < 100000; i++) seed ^= seed << 5 ^ i;
  return seed;
}

__attribute__((noinline)) unsigned storm(unsigned seed) {
  for (unsigned i = 0; i < 100000; i++) seed ^= seed >> 7 ^ i;
  return seed + 1;
}

int main(void) {
  nice(5);
  signal(SIGUSR1, on_signal);
  puts("ready");
  fflush(stdout);
  for (;;) sink = changed ? storm(sink) : calm(sink);
}
`;

/** Compiles a program that changes its behaviour on SIGUSR1 into `folder`, and returns its path. */
export function compilePhases(folder: string): string {
  const source = join(folder, 'phases.c');
  const program = join(folder, 'phases');
  writeFileSync(source, SOURCE);
  execFileSync('cc', ['-O1', '-fno-omit-frame-pointer', '-o', program, source]);
  return program;
}
