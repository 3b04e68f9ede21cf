import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One thread after the other, each of which runs for some 1 ms: none reaches a period of perf's clock, however long
 * the recording lasts. With an argument, the main thread works for some 25 ms after 100 of them, which perf samples.
 * Prints a line when it begins.
 */
const SOURCE = `#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void work(unsigned steps) {
  for (volatile unsigned i = 0; i < steps; i++);
}

static void *burst(void *unused) {
  work(500000);
  return unused;
}

int main(int count, char **arguments) {
  (void)arguments;
  puts("ready");
  fflush(stdout);
  for (unsigned threads = 1;; threads++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, burst, NULL) != 0) return 1;
    pthread_join(thread, NULL);
    if (count > 1 && threads % 100 == 0) work(12500000);
    usleep(500);
  }
}
`;

/** Compiles it into `<folder>/burst` and returns its path. */
export function compileBurst(folder: string): string {
  const source = join(folder, 'burst.c');
  const program = join(folder, 'burst');
  writeFileSync(source, SOURCE);
  execFileSync('cc', ['-g', '-O1', '-fno-omit-frame-pointer', '-pthread', '-o', program, source]);
  return program;
}
