import { int32Column, type ColumnBuilder } from '../../model/intern/column.ts';
import { ImportFailure, malformed, unsupported } from '../../model/failure.ts';
import { JfrBytes } from './bytes.ts';
import { JfrMetadata, skipOperations, type JfrOperation } from './metadata.ts';

/** Bytes of a chunk's header. */
export const JFR_HEADER_BYTES = 68;
/** FLR and a zero. */
export const JFR_MAGIC = 0x464c5200;
const FEATURE_COMPRESSED = 1;

/** Types that every recording has without describing them. */
const METADATA_EVENT = 0;
const CHECKPOINT_EVENT = 1;

/** The first bytes of a chunk; the layout of versions 1 and 2. */
export interface JfrHeader {
  readonly version: string;
  /** 0 if the chunk was not finished. */
  readonly size: number;
  /** Unix epoch, nanoseconds. */
  readonly startNs: bigint;
  readonly durationNs: number;
  readonly startTicks: bigint;
  readonly ticksPerSecond: number;
}

export function readJfrHeader(bytes: Uint8Array, origin: number): JfrHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < JFR_HEADER_BYTES || view.getUint32(0) !== JFR_MAGIC) {
    throw malformed('JFR: no complete chunk starts here; copy the recording again', {
      byte: origin,
    });
  }
  const [major, minor] = [view.getUint16(4), view.getUint16(6)];
  if (major !== 1 && major !== 2) {
    throw unsupported(
      `JFR: a recording of version ${major}.${minor}; Flamebench reads versions 1 and 2, of ${major > 2 ? 'earlier JDKs' : 'JDK 11 or later'} and of async-profiler`,
      { byte: origin + 4 },
    );
  }
  if ((view.getUint32(64) & FEATURE_COMPRESSED) === 0) {
    throw unsupported('JFR: integers are not compressed; record with another JVM', {
      byte: origin + 64,
    });
  }
  const ticksPerSecond = Number(view.getBigUint64(56));
  return {
    version: `${major}.${minor}`,
    size: Number(view.getBigUint64(8)),
    startNs: view.getBigUint64(32),
    durationNs: Number(view.getBigUint64(40)),
    startTicks: view.getBigUint64(48),
    ticksPerSecond: ticksPerSecond > 0 ? ticksPerSecond : 1e9,
  };
}

/** An event of a chunk; the cursor is after its type. */
export interface JfrEvent {
  readonly typeId: number;
  readonly start: number;
  readonly end: number;
}

/** The constants of one type, by their keys. */
interface Pool {
  readonly rows: Map<number | bigint, number>;
  /** Offset in the chunk, by row. */
  readonly offsets: ColumnBuilder<Int32Array>;
  readonly operations: readonly JfrOperation[];
}

/** One chunk: its types and the positions of its constants; events are read in the order of the bytes. */
export class JfrChunk {
  readonly header: JfrHeader;
  readonly bytes: JfrBytes;
  readonly metadata: JfrMetadata;
  /** Position at which the chunk ends within an incomplete event; null if it is complete. */
  readonly cutAt: number | null;
  readonly #pools = new Map<number, Pool>();
  /** End of the last whole event. */
  readonly #end: number;

  /** `bytes` starts at the header and ends at the chunk's end, or earlier if the chunk is not `isWhole`. */
  constructor(bytes: Uint8Array, origin: number, isWhole: boolean) {
    this.header = readJfrHeader(bytes, origin);
    this.bytes = new JfrBytes(bytes, origin);
    this.#end = this.#findEnd();
    this.cutAt = this.#end < bytes.length ? this.#end : null;
    if (isWhole && this.cutAt !== null)
      throw this.bytes.malformed('has an event that extends beyond its chunk', this.cutAt);
    this.metadata = this.#readMetadata();
    this.#readCheckpoints();
  }

  /** Calls back for each event except the ones that describe the chunk itself. */
  forEachEvent(onEvent: (event: JfrEvent) => void): void {
    this.#walk((event) => {
      if (event.typeId !== METADATA_EVENT && event.typeId !== CHECKPOINT_EVENT) onEvent(event);
    });
  }

  /** Returns the row of a constant, given its key in halves; −1 if there is none. */
  constantRow(typeId: number, low: number, high: number): number {
    return this.#pools.get(typeId)?.rows.get(keyOf(low, high)) ?? -1;
  }

  /** Moves the cursor to a constant and returns its fields. */
  enterConstant(typeId: number, row: number): readonly JfrOperation[] {
    const pool = this.#pools.get(typeId)!;
    this.bytes.enter(pool.offsets.get(row), this.#end);
    return pool.operations;
  }

  /** Returns whole nanoseconds after the chunk's start for the ticks read last. */
  timeOfTicks(): number {
    const ticks = (BigInt(this.bytes.high) << 32n) | BigInt(this.bytes.low);
    return this.ticksToNs(Number(BigInt.asIntN(64, ticks - this.header.startTicks)));
  }

  /** Rounds towards zero, like the JDK's TimeConverter. */
  ticksToNs(ticks: number): number {
    return Math.trunc(ticks / (this.header.ticksPerSecond / 1e9));
  }

  #findEnd(): number {
    let end = JFR_HEADER_BYTES;
    this.#walk((event) => {
      ({ end } = event);
    }, this.bytes.bytes.length);
    return end;
  }

  /** Stops before an event that is cut off. Rejects an event of length zero, because nothing can follow it. */
  #walk(onEvent: (event: JfrEvent) => void, limit = this.#end): void {
    const { bytes } = this;
    for (let start = JFR_HEADER_BYTES; start < limit;) {
      bytes.enter(start, limit);
      const event = this.#eventAt(start, limit);
      if (event === null) return;
      onEvent(event);
      start = event.end;
    }
  }

  #eventAt(start: number, limit: number): JfrEvent | null {
    const { bytes } = this;
    // A number takes at most nine bytes; with fewer left it may be cut off.
    const isSafe = limit - start >= 18;
    try {
      bytes.int();
      const end = start + bytes.unsigned;
      if (end <= bytes.at) throw bytes.malformed(`has an event of ${end - start} bytes`, start);
      if (end > limit) return null;
      bytes.end = end;
      bytes.long();
      return { typeId: bytes.unsigned, start, end };
    } catch (error) {
      if (isSafe || !(error instanceof ImportFailure)) throw error;
      return null;
    }
  }

  #readMetadata(): JfrMetadata {
    let at = -1;
    let end = 0;
    this.#walk((event) => {
      if (event.typeId === METADATA_EVENT) [at, end] = [this.bytes.at, event.end];
    });
    if (at < 0) {
      throw this.bytes.malformed('lacks the description of its events, which comes last', this.bytes.bytes.length);
    }
    this.bytes.enter(at, end);
    return new JfrMetadata(this.bytes);
  }

  #readCheckpoints(): void {
    this.#walk((event) => {
      if (event.typeId === CHECKPOINT_EVENT) this.#readCheckpoint(event);
    });
  }

  /**
   * Layout: start, duration, distance of the previous one, kind; then the constants of each type. The first value of a
   * key counts.
   */
  #readCheckpoint({ end }: JfrEvent): void {
    const { bytes } = this;
    bytes.long();
    bytes.long();
    bytes.long();
    bytes.byte();
    for (let types = bytes.count(); types > 0; types--) {
      bytes.long();
      const pool = this.#poolOf(bytes.unsigned);
      for (let items = bytes.count(); items > 0; items--) {
        bytes.long();
        const row = pool.offsets.length;
        const key = keyOf(bytes.low, bytes.high);
        if (!pool.rows.has(key)) {
          pool.rows.set(key, row);
          pool.offsets.push(bytes.at);
        }
        skipOperations(bytes, pool.operations);
      }
    }
    if (bytes.at > end) throw bytes.malformed('has constants beyond their end');
  }

  #poolOf(typeId: number): Pool {
    const known = this.#pools.get(typeId);
    if (known !== undefined) return known;
    const pool = {
      rows: new Map<number | bigint, number>(),
      offsets: int32Column(),
      operations: this.metadata.operations(typeId),
    };
    this.#pools.set(typeId, pool);
    return pool;
  }
}

/** Returns a 64-bit key, as a number if it is exact. */
const keyOf = (low: number, high: number): number | bigint =>
  high < 2 ** 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
