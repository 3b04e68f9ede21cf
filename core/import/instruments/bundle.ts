import type { ThreadIndex } from '../../model/brand.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { ProfileBuilder, type ValueTypeKey } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { wholeSession } from '../text/byte-collector.ts';
import { nameArchive } from '../foreign/archive.ts';
import type { ImportSession } from '../importer.ts';
import { InstrumentsStacks } from './stacks.ts';
import { runField, runsOf, symbolsOf, type InstrumentsRun } from './symbols.ts';
import { integerOf, KeyedArchive } from './keyed-archive.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { inflate } from '../unpack/inflate.ts';
import { MAX_KEPT_BYTES, UnwrapMeter } from '../unpack/unwrap-meter.ts';
import { listZip, unzip, type ZipEntry } from '../unpack/zip.ts';

const EXPORT = 'copy its call tree in Instruments (Edit, Deep Copy) or run `xcrun xctrace export`, and open that';
const MAX_PACKED_BYTES = 2 ** 31 - 1;
const TEMPLATE = /^(?!__MACOSX\/)((?:[^/]+\/)*[^/]+\.trace\/)form\.template$/;

/**
 * Columns of a time profile and the size of a row; other layouts also begin with time and thread and end with the
 * stack.
 */
const COLUMNS = 'time thread process core thread-state weight stack';
const ROW_BYTES = 33;
const [THREAD, CORE, WEIGHT, BEHIND_WEIGHT] = [6, 13, 21, 4] as const;
const MIN_ROW_BYTES = 14;

const TIME: ValueTypeKey = { type: 'cpu', unit: 'nanoseconds', column: 0 };
const COUNT: ValueTypeKey = { type: 'samples', unit: 'count', column: -1 };
const MAX_CPU = 2 ** 15 - 1;

export const bundleSession = (): ImportSession =>
  wholeSession('a trace bundle', (bytes) => buildProfile(new Bundle(bytes)), MAX_PACKED_BYTES);

/** The files of a bundle, unpacked when they are read. */
class Bundle {
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  readonly #meter = new UnwrapMeter({
    what: 'the archive',
    remedy: '; unpack it and open only the profile',
    maxBytes: MAX_KEPT_BYTES,
  });
  readonly #folder: string;

  constructor(bytes: Uint8Array) {
    this.#entries = listZip(bytes);
    const folder = [...this.#entries.keys()].map((name) => TEMPLATE.exec(name)?.[1]).find((name) => name !== undefined);
    if (folder === undefined) throw nameArchive([...this.#entries.keys()]);
    this.#folder = folder;
  }

  /** Returns the names below `path`, which ends in a slash. */
  below(path: string): string[] {
    const start = this.#folder + path;
    return [...this.#entries.keys()].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
  }

  read(path: string): Uint8Array {
    const entry = this.#entries.get(this.#folder + path);
    if (entry === undefined) throw malformed(`the trace bundle is missing ${path.slice(0, 120)}`);
    const bytes = unzip(entry, this.#meter);
    // Instruments 9 compresses some of its files.
    return isZlib(bytes) ? inflate(bytes, 'zlib', this.#meter, entry.name.slice(0, 80)) : bytes;
  }
}

/** Returns whether bytes are a zlib stream (RFC 1950, 2.2) with the usual window of 32 KiB. */
function isZlib(bytes: Uint8Array): boolean {
  return bytes.length > 2 && bytes[0] === 0x78 && (0x7800 + bytes[1]!) % 31 === 0;
}

function buildProfile(bundle: Bundle): Profile {
  const archive = new KeyedArchive(bundle.read('form.template'));
  const builder = new ProfileBuilder(1);
  const runs = runsOf(archive);
  // If one run has no weights, the weights of all runs do not add up.
  const isWeighed = runs.map((run) => addRun(bundle, archive, run, builder, runs.length > 1)).every(Boolean);
  const [first] = runs;
  if (builder.sampleCount === 0 || first === undefined) {
    throw unsupported(`a trace bundle without a time profile; ${EXPORT}`);
  }
  const profile = builder.finish(isWeighed ? [TIME, COUNT] : [COUNT], {
    format: 'instruments-trace',
    tool: 'Instruments',
    timeOrigin: 0n,
    startTime: runs.length === 1 ? integerOf(runField(archive, first, 'startTime')) : null,
    cpuCount: cpuCountOf(archive, first),
  });
  return diagnoseUnresolved(profile, 'Let Instruments find the symbols (File, Symbols) before saving the trace.');
}

function cpuCountOf(archive: KeyedArchive, run: InstrumentsRun): number | null {
  const count = Number(integerOf(runField(archive, run, 'numberOfCpus')) ?? 0n);
  return count > 0 && count <= MAX_CPU ? count : null;
}

/** Returns false if the run's samples have no weights. */
function addRun(
  bundle: Bundle,
  archive: KeyedArchive,
  run: InstrumentsRun,
  builder: ProfileBuilder,
  isOneOfSeveral: boolean,
): boolean {
  const core = [`corespace/run${run.number}/core/`, 'corespace/currentRun/core/'].find(
    (path) => bundle.below(path).length > 0,
  );
  const stores =
    core === undefined ? [] : bundle.below(`${core}stores/`).filter((name) => name.endsWith('/schema.xml'));
  let weighed = true;
  /** The run's symbols and stacks, read once for all stores that refer to them. */
  let shared: { readonly stacks: InstrumentsStacks; readonly pids: readonly number[] } | null = null;
  for (const schemaPath of stores) {
    const schema = new TextDecoder().decode(bundle.read(`${core}stores/${schemaPath}`));
    if (!/<schema name="time-profile"/.test(schema)) continue;
    shared ??= sharedOf(bundle, archive, run, builder, core!);
    const { stacks, pids } = shared;
    const columns = Array.from(schema.matchAll(/mnemonic="([\w-]+)"/g), ([, name]) => name).join(' ');
    const pid = pids.length === 1 ? pids[0]! : -1;
    const thread = (id: number): ThreadIndex =>
      builder.thread(pid, -1, isOneOfSeveral ? `run ${run.number}, thread ${id}` : `thread ${id}`);
    const store = bundle.read(`${core}stores/${schemaPath.replace(/schema\.xml$/, 'bulkstore')}`);
    weighed = addSamples(builder, store, columns, stacks, thread) && weighed;
  }
  return weighed;
}

function sharedOf(
  bundle: Bundle,
  archive: KeyedArchive,
  run: InstrumentsRun,
  builder: ProfileBuilder,
  core: string,
): { readonly stacks: InstrumentsStacks; readonly pids: readonly number[] } {
  const { frames, pids } = symbolsOf(archive, run, builder);
  const arrays = (file: string): Uint8Array => bundle.read(`${core}uniquing/arrayUniquer/integeruniquer.${file}`);
  return { stacks: new InstrumentsStacks(builder, frames, arrays('index'), arrays('data')), pids };
}

/** Returns false if the rows do not have the layout that is known to include weights. */
function addSamples(
  builder: ProfileBuilder,
  store: Uint8Array,
  columns: string,
  stacks: InstrumentsStacks,
  thread: (id: number) => ThreadIndex,
): boolean {
  const view = new DataView(store.buffer, store.byteOffset, store.byteLength);
  if (store.length < 20) throw malformed('the trace bundle is damaged: a store is truncated');
  const [headerBytes, rowBytes] = [view.getUint32(12, true), view.getUint32(16, true)];
  if (rowBytes < MIN_ROW_BYTES || !columns.endsWith(' stack')) {
    throw unsupported(`a trace bundle of an unknown layout; ${EXPORT}`);
  }
  const isKnown = columns === COLUMNS && rowBytes === ROW_BYTES;
  for (let at = headerBytes; at + rowBytes <= store.length; at += rowBytes) {
    const time = view.getUint32(at, true) + view.getUint16(at + 4, true) * 2 ** 32;
    if (time === 0) break;
    const cpu = isKnown ? view.getUint32(at + CORE, true) : undefined;
    const stack = stacks.stack(view.getUint32(at + rowBytes - BEHIND_WEIGHT, true));
    const weight = isKnown ? Number(view.getBigUint64(at + WEIGHT, true)) : 0;
    if (!Number.isSafeInteger(weight)) throw malformed('a sample weighs more than 2^53 nanoseconds');
    builder.sample({ stack, thread: thread(view.getUint32(at + THREAD, true)), time, cpu }, weight);
  }
  return isKnown;
}
