import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import { readElfFacts, type ElfFacts } from '../target/elf.ts';
import type { Target } from '../target/target.ts';
import { ADDR2LINE_PROGRAMS, addr2lineArgv, lookUpAddresses, type SourcePlace } from './addr2line.ts';
import { installPackage } from '../install-package.ts';
import { readFrameLines, type BinaryFrame } from './frame-places.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';

/** The text of a recording with its resolved source lines. */
export const LINES_FILE = 'lines.perf-script.txt.gz';

/** A recording made on the target. */
export interface LinesRequest {
  /** The output of `perf script`; read twice. */
  readonly text: () => AsyncIterable<Uint8Array>;
  /** Unix epoch milliseconds; null if unknown. */
  readonly recordedAt: number | null;
  /** Returns the file to open for a name in the text; null if none may be opened. */
  readonly find: (name: string) => string | null;
}

/** The addresses to resolve in one binary. */
interface Binary {
  /** As the text names it. */
  readonly path: string;
  readonly argv: readonly string[];
  /** The linker's addresses, each once. */
  readonly addresses: readonly number[];
  /** Row of each address, by {@link placeKey}. */
  readonly rows: ReadonlyMap<number, number>;
}

export interface LinesPlan {
  /** One check of the program, then one per binary that has frames, those with the most first. */
  readonly checks: readonly Check[];
  /** The exact commands; empty if nothing can be resolved. */
  readonly commands: readonly (readonly string[])[];
  readonly binaries: readonly Binary[];
}

/** Number of frames, and of those that now have a line. */
interface LinesCount {
  readonly frames: number;
  readonly withLine: number;
}

/** Maximum number of binaries named one by one; libraries with a frame or two follow as a count. */
const MAX_NAMED = 20;
/** Kernel interfaces, which a capture from elsewhere may name. */
const NO_BINARY = /^\/(?:proc|sys|dev)(?:\/|$)|\/perf-\d+\.map$/;

/** Plans how to resolve the source lines of a recording's frames, and reports the binaries that have none. */
export async function planLines(target: Target, request: LinesRequest): Promise<LinesPlan> {
  const modules = await collectPlaces(request);
  const program = await findProgram(target);
  const checks: Check[] = [program.check];
  const binaries: Binary[] = [];
  const byFrames = [...modules].sort(([, a], [, b]) => b.frames - a.frames);
  for (const [place, [path, { keys, frames }]] of byFrames.entries()) {
    const binary = await checkBinary(target, path, request);
    const { file, elf } = binary;
    if (place < MAX_NAMED) checks.push({ ...binary.check, found: `${frames} frames: ${binary.check.found}` });
    if (file === null || elf === null || program.path === null) continue;
    const addresses: number[] = [];
    const rows = new Map<number, number>();
    for (const key of keys) {
      const address = elf.addressAt(Math.floor(key / 2));
      // In a caller, this is the instruction after the call; the byte before belongs to the call.
      if (address !== null) rows.set(key, addresses.push(key % 2 === 1 ? address : address - 1) - 1);
    }
    if (addresses.length > 0) {
      binaries.push({ path, argv: addr2lineArgv(program.path, file), addresses, rows });
    }
  }
  const others = modules.size - MAX_NAMED;
  if (others > 0) checks.push(checkOf('others', 'ok', `${others} more binaries`));
  return { checks, commands: binaries.map(({ argv }) => argv), binaries };
}

interface ModulePlaces {
  readonly keys: Set<number>;
  frames: number;
}

async function collectPlaces({ text }: LinesRequest): Promise<Map<string, ModulePlaces>> {
  const modules = new Map<string, ModulePlaces>();
  const reader = readFrameLines((_, frame) => {
    if (frame === null) return;
    const known = modules.get(frame.module) ?? { keys: new Set<number>(), frames: 0 };
    modules.set(frame.module, known);
    known.frames += 1;
    known.keys.add(placeKey(frame));
  });
  for await (const chunk of text()) reader.push(chunk);
  reader.finish();
  return modules;
}

/** Combines the offset in the file and whether the sample was taken there into one number. */
const placeKey = ({ offset, isLeaf }: BinaryFrame): number => offset * 2 + (isLeaf ? 1 : 0);

async function findProgram(target: Target): Promise<{ path: string | null; check: Check }> {
  const id = 'addr2line';
  for (const name of ADDR2LINE_PROGRAMS) {
    const path = await target.findExecutable(name);
    if (path !== null) return { path, check: checkOf(id, 'ok', path) };
  }
  const { distributions } = await readKernelSettings(target);
  const found = 'addr2line, which resolves source lines, is not installed';
  return { path: null, check: checkOf(id, 'failed', found, installPackage(distributions, 'binutils')) };
}

/** Checks the binary as it is now and how its parts are mapped; without the latter, nothing can be resolved in it. */
async function checkBinary(
  target: Target,
  path: string,
  { recordedAt, find }: LinesRequest,
): Promise<{ check: Check; file: string | null; elf: ElfFacts | null }> {
  const refused = (found: string, remedy: string | null) => ({
    check: checkOf(path, 'warning', found, remedy),
    file: null,
    elf: null,
  });
  if (NO_BINARY.test(path)) return refused('code outside any binary', null);
  const file = find(path);
  const facts = file === null ? null : await target.stat(file);
  if (file === null || facts === null) return refused('no longer exists', 'put the same build back in its place');
  if (recordedAt !== null && facts.modifiedAt > recordedAt) {
    return refused('changed after the recording', 'put the build that was recorded back, or record again');
  }
  const elf = await readElfFacts(target, file);
  if (elf === null) return refused('not a readable ELF file', null);
  const { debugInfo, debugFile } = elf;
  const isApart = !debugInfo && debugFile !== null && (await target.stat(debugFile)) !== null;
  if (!debugInfo && !isApart) {
    return refused('has no debug information', 'build it with -g, or install its debug symbols');
  }
  const found = isApart ? `debug information in ${debugFile}` : 'debug information';
  return { check: checkOf(path, 'ok', found), file, elf };
}

interface LinesOptions {
  /** Adds a frame for each function that the compiler inlined. */
  readonly inlined: boolean;
  readonly signal: AbortSignal;
}

/**
 * Resolves the lines and returns the recording's text with a source line below each frame that has one, as printed by
 * `perf script -F +srcline`. Without `inlined`, a frame's line is the one in its own function, whatever was inlined
 * there. Rejects if a process fails; the result never lacks anything that the text had before.
 */
export async function resolveLines(
  target: Target,
  request: LinesRequest,
  { binaries }: LinesPlan,
  { inlined, signal }: LinesOptions,
): Promise<{ text: () => AsyncIterable<Uint8Array>; count: () => LinesCount }> {
  const found = new Map<string, (key: number) => readonly SourcePlace[]>();
  for (const { path, argv, addresses, rows } of binaries) {
    const answers = await lookUpAddresses(target, argv, addresses, signal);
    found.set(path, (key) => answers[rows.get(key) ?? -1] ?? []);
  }
  let frames = 0;
  let withLine = 0;
  const placesOf = (frame: BinaryFrame): readonly SourcePlace[] => {
    const places = found.get(frame.module)?.(placeKey(frame)) ?? [];
    frames += 1;
    if ((places.at(-1)?.line ?? 0) > 0) withLine += 1;
    return places;
  };
  return {
    text: () => textWithLines(request.text(), placesOf, inlined),
    count: () => ({ frames, withLine }),
  };
}

async function* textWithLines(
  text: AsyncIterable<Uint8Array>,
  placesOf: (frame: BinaryFrame) => readonly SourcePlace[],
  inlined: boolean,
): AsyncGenerator<Uint8Array> {
  let parts: Buffer[] = [];
  const reader = readFrameLines((line, frame) => {
    const places = frame === null ? [] : placesOf(frame);
    const own = places.at(-1);
    if (inlined && frame !== null) {
      for (const place of places.slice(0, -1)) parts.push(inlinedFrame(frame, place));
    }
    parts.push(Buffer.from(line), NEWLINE);
    if (own !== undefined && own.line > 0) parts.push(Buffer.from(`  ${own.file}:${own.line}\n`));
  });
  for await (const chunk of text) {
    reader.push(chunk);
    yield Buffer.concat(parts);
    parts = [];
  }
  reader.finish();
  yield Buffer.concat(parts);
}

const NEWLINE = Buffer.from('\n');

/** Formats like perf: the address is that of the frame that contains the instruction. */
function inlinedFrame({ offset }: BinaryFrame, { func, file, line }: SourcePlace): Buffer {
  const name = func === '' ? '[unknown]' : func;
  const place = line > 0 ? `${file}:${line}` : '??:0';
  return Buffer.from(`\t${offset.toString(16).padStart(16)} ${name} (inlined)\n  ${place} (inlined)\n`);
}
