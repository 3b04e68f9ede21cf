import type { Check } from '#core/contract/schemas.ts';
import { readElfFacts, type ElfFacts } from '../target/elf.ts';
import type { Target } from '../target/target.ts';
import { ADDR2LINE_PROGRAMS, addr2lineArgv, lookUpAddresses, type SourcePlace } from './addr2line.ts';
import { binutilsAdvice } from './annotate.ts';
import { readKernelSettings } from './checks.ts';
import { readFrameLines, type BinaryFrame } from './frame-places.ts';

/** The text of a recording with the source lines that were looked up for it. */
export const LINES_FILE = 'lines.perf-script.txt.gz';

/** A recording that was made on the target. */
export interface LinesRequest {
  /** What `perf script` printed of it; read twice. */
  readonly text: () => AsyncIterable<Uint8Array>;
  /** Unix epoch milliseconds; null where unknown. */
  readonly recordedAt: number | null;
  /** The file to open for a name in the text; null where none may be. */
  readonly find: (name: string) => string | null;
}

/** What would be looked up in one binary. */
interface Binary {
  /** As the text names it. */
  readonly path: string;
  readonly argv: readonly string[];
  /** The linker's addresses, each once. */
  readonly addresses: readonly number[];
  /** By {@link placeKey}: the address' row. */
  readonly rows: ReadonlyMap<number, number>;
}

export interface LinesPlan {
  /** One of the program, then one for each binary that has frames, those with the most first. */
  readonly checks: readonly Check[];
  /** Exactly what will run; none where nothing can be looked up. */
  readonly commands: readonly (readonly string[])[];
  readonly binaries: readonly Binary[];
}

/** How much of the text has a line now. */
export interface LinesCount {
  readonly frames: number;
  readonly withLine: number;
}

/** Binaries named one by one; libraries with a frame or two follow as a number. */
const MAX_NAMED = 20;
/** Kernel interfaces: a capture from elsewhere may name them. */
const NO_BINARY = /^\/(?:proc|sys|dev)(?:\/|$)|\/perf-\d+\.map$/;

/** What would run to find the source lines of a recording's frames, and of which binaries there are none. */
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
      // In a caller it is the instruction after the call: the byte before belongs to the call.
      if (address !== null) rows.set(key, addresses.push(key % 2 === 1 ? address : address - 1) - 1);
    }
    if (addresses.length > 0) {
      binaries.push({ path, argv: addr2lineArgv(program.path, file), addresses, rows });
    }
  }
  const others = modules.size - MAX_NAMED;
  if (others > 0) checks.push({ id: 'others', status: 'ok', found: `${others} more binaries`, remedy: null });
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

/** The place in the file, and whether the sample was taken there, in one number. */
const placeKey = ({ offset, isLeaf }: BinaryFrame): number => offset * 2 + (isLeaf ? 1 : 0);

async function findProgram(target: Target): Promise<{ path: string | null; check: Check }> {
  const id = 'addr2line';
  for (const name of ADDR2LINE_PROGRAMS) {
    const path = await target.findExecutable(name);
    if (path !== null) return { path, check: { id, status: 'ok', found: path, remedy: null } };
  }
  const { distributions } = await readKernelSettings(target);
  const found = 'addr2line, which resolves source lines, is not installed';
  return { path: null, check: { id, status: 'failed', found, remedy: binutilsAdvice(distributions) } };
}

/** What is known of a binary now, and where its parts lie in memory; without these nothing can be looked up in it. */
async function checkBinary(
  target: Target,
  path: string,
  { recordedAt, find }: LinesRequest,
): Promise<{ check: Check; file: string | null; elf: ElfFacts | null }> {
  const refused = (found: string, remedy: string | null) => ({
    check: { id: path, status: 'warning', found, remedy } as const,
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
  return { check: { id: path, status: 'ok', found, remedy: null }, file, elf };
}

export interface LinesOptions {
  /** Adds a frame for each function that the compiler inlined. */
  readonly inlined: boolean;
  readonly signal: AbortSignal;
}

/**
 * Looks the lines up, and answers with the recording's text with a line of source below each frame that has one, as `perf script -F
 * +srcline` prints it. Without `inlined` a frame's line is that in its own function, whatever was inlined there. Rejects where a process
 * fails; what it lacks then is nothing that was there before.
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

/** As perf prints it: the address is that of the frame that holds the instruction. */
function inlinedFrame({ offset }: BinaryFrame, { func, file, line }: SourcePlace): Buffer {
  const name = func === '' ? '[unknown]' : func;
  const place = line > 0 ? `${file}:${line}` : '??:0';
  return Buffer.from(`\t${offset.toString(16).padStart(16)} ${name} (inlined)\n  ${place} (inlined)\n`);
}
