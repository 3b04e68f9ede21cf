import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the source of a server. `parse` does `rounds` of work, and the new build has one more function. */
function source(rounds: number, isNew: boolean): string {
  const work = (name: string, count: string): string => `__attribute__((noinline)) unsigned ${name}(unsigned seed) {
  unsigned value = seed | 1;
  for (unsigned i = 0; i < ${count}; i++) value = value * 1664525u + 1013904223u;
  return value;
}
`;
  return `static volatile unsigned sink;
${work('parse', String(rounds))}${work('route', '20000')}${work('respond', '20000')}${isNew ? work('trace', '10000') : ''}
__attribute__((noinline)) unsigned handle(unsigned seed) {
  return parse(seed) + route(seed) + respond(seed)${isNew ? ' + trace(seed)' : ''} + 1;
}

int main(void) {
  for (unsigned i = 0; i < 6000; i++) sink = handle(i);
  return 0;
}
`;
}

function compile(folder: string, name: string, text: string): string {
  const program = join(folder, name);
  writeFileSync(`${program}.c`, text);
  execFileSync('cc', [
    '-g',
    '-O1',
    '-fno-omit-frame-pointer',
    '-mno-omit-leaf-frame-pointer',
    '-o',
    program,
    `${program}.c`,
  ]);
  return program;
}

/** Compiles `server-old` and `server-new`, which share all functions except one, into the folder. */
export function compileTwoBuilds(folder: string): { before: string; after: string } {
  return {
    before: compile(folder, 'server-old', source(40_000, false)),
    after: compile(folder, 'server-new', source(80_000, true)),
  };
}
