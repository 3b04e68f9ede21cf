import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { binarySymbols } from '#core/symbols/binary-symbols.ts';
import { withDebugFrames, type SymbolRequest, type SymbolTable } from '#core/symbols/symbols.ts';
import { withElfFile } from '#collectors/target/elf-file.ts';
import { readDebugFrames } from '#collectors/symbols/debug-frames.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { EngineFailure } from '../failure.ts';
import { UNREADABLE_INPUT } from '../files/file-source.ts';
import { noteRead } from '../files/read-files.ts';

/** Binaries that the user gave for a profile. */
export interface GivenBinaries {
  /** Returns null if none of them is the requested binary. */
  tableOf(request: SymbolRequest): Promise<SymbolTable | null>;
  /** Returns one line for each binary that was not used, was not verified, or lacks line information. */
  problems(): string[];
  /** Ends the processes started to read them. */
  close(): Promise<void>;
}

interface Binary {
  readonly path: string;
  readonly buildId: string | null;
  /** Build ID that the profile's mapping of this name states instead; null if none. */
  other: string | null;
  isUsed: boolean;
}

/** Opens the binaries. Throws an {@link EngineFailure} for a path that is not an ELF file. */
export function openGivenBinaries(paths: readonly string[]): GivenBinaries {
  const binaries = paths.map(openBinary);
  const problems: string[] = [];
  const target = createLocalTarget();
  return {
    async tableOf(request) {
      if (request.kind !== 'file') return null;
      const binary = findBinary(binaries, request);
      if (binary === null) return null;
      binary.isUsed = true;
      const { path } = binary;
      if (request.buildId === null) {
        problems.push(`${path}: matched by name only; the profile has no build id`);
      }
      const own = withElfFile(path, ({ elf }) => binarySymbols(elf, elf));
      const signal = new AbortController().signal;
      const { table: debug, problem } = await readDebugFrames(target, { path }, request.addresses ?? [], signal);
      if (problem !== null) problems.push(`${path}: no lines and no inlined calls: ${problem}`);
      if (own === null && debug === null) problems.push(`${path}: no names: it is stripped`);
      return withDebugFrames(own, debug);
    },
    problems: () => [...problems, ...binaries.flatMap(unused)],
    close: () => target.dispose(),
  };
}

function openBinary(path: string): Binary {
  const found = withElfFile(path, ({ elf }) => ({ buildId: elf.buildId }));
  if (found === null) {
    throw new EngineFailure(
      UNREADABLE_INPUT,
      `${path} is not a readable ELF file`,
      'give the program that was profiled',
    );
  }
  noteRead(statSync(path, { bigint: true }));
  return { path, buildId: found.buildId, other: null, isUsed: false };
}

/** Finds the binary by build ID or, if the profile states none, by file name. */
function findBinary(binaries: readonly Binary[], { path, buildId }: SymbolRequest): Binary | null {
  const namesakes = binaries.filter((binary) => basename(binary.path) === basename(path));
  if (buildId === null) return namesakes[0] ?? null;
  for (const binary of namesakes) binary.other = buildId;
  return binaries.find((binary) => binary.buildId === buildId) ?? null;
}

function unused({ path, buildId, other, isUsed }: Binary): string[] {
  if (isUsed) return [];
  const why = other === null ? 'the profile has no unnamed code in it' : `the profile has build id ${other}`;
  return [`${path} (build id ${buildId ?? 'none'}) is not used: ${why}`];
}
