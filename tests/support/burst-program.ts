import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** 300 threads that each run for some 50 µs and sleep for 30 ms, in turn; prints a line when all run. */
const SOURCE = `#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *burst(void *start) {
  (void)start;
  for (;;) {
    for (volatile unsigned i = 0; i < 25000; i++);
    usleep(30000);
  }
}

int main(void) {
  nice(5);
  for (int i = 0; i < 300; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, burst, NULL);
  }
  puts("ready");
  fflush(stdout);
  pause();
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
