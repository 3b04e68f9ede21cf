import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withElfFile } from '#collectors/target/elf-file.ts';
import { encodePprof } from './encode/pprof.ts';

/** A position-independent C program with debug information, in which `leaf` (line 3) is inlined into `outer` (line 6). */
export interface InlinedProgram {
  readonly path: string;
  readonly buildId: string;
  /** Encodes a profile without names of one sample within `leaf`, loaded somewhere. */
  profileOf(buildId: string, file?: string): Uint8Array;
}

const SOURCE = `volatile int sink;
static inline __attribute__((always_inline)) void leaf(int n) {
  for (int i = 0; i < n; i++) sink += i;
}
__attribute__((noinline)) void outer(int n) {
  leaf(n);
}
int main(void) { outer(9); return 0; }
`;
const START = 0x5555_5555_4000n;

export function buildInlinedProgram(folder: string): InlinedProgram {
  const path = join(folder, 'inlined');
  const source = join(folder, 'inlined.c');
  writeFileSync(source, SOURCE);
  execFileSync('cc', ['-O1', '-g', '-fpie', '-pie', '-Wl,--build-id', '-o', path, source]);
  const listed = execFileSync('objdump', ['-d', '--no-show-raw-insn', path], { encoding: 'utf8' });
  const offset = BigInt(`0x${/<outer>:\n[^]*?\n +([0-9a-f]+):\s+add/.exec(listed)![1]!}`);
  return {
    path,
    buildId: withElfFile(path, ({ elf }) => elf.buildId)!,
    profileOf: (buildId, file = path) =>
      encodePprof({
        sampleTypes: [['samples', 'count']],
        samples: [{ locations: [1], values: [1] }],
        mappings: [{ id: 1, file, buildId, start: START, limit: START + 0x5000n }],
        locations: [{ id: 1, mapping: 1, address: START + offset }],
        functions: [],
      }),
  };
}
