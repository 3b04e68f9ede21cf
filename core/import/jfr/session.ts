import { ImportFailure, unsupported } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import type { ImportSession } from '../importer.ts';
import { JfrAbout } from './about.ts';
import { JFR_HEADER_BYTES, JFR_MAGIC, JfrChunk, readJfrHeader, type JfrHeader } from './chunk.ts';
import { JfrConstants } from './constants.ts';
import { JfrSamples, WEIGHT_COLUMNS } from './samples.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';

/**
 * Offsets within a chunk are stored as 32-bit integers; the JVM starts a new chunk at 12 MB, async-profiler at 100 MB.
 */
const MAX_CHUNK_BYTES = 2 ** 31 - 1;

/** Collects one chunk at a time, and reads it as soon as it is complete. */
export class JfrSession implements ImportSession {
  readonly #builder = new ProfileBuilder(WEIGHT_COLUMNS);
  readonly #about = new JfrAbout(this.#builder);
  #samples: JfrSamples | null = null;
  #first: JfrHeader | null = null;
  /** End of the chunks read, relative to the start of the first one. */
  #durationNs = 0;
  /** Offset of the chunk being collected. */
  #origin = 0;
  #bytes = new ByteCollector('a chunk of a flight recording', MAX_CHUNK_BYTES);
  #collected = 0;
  readonly #header = new Uint8Array(JFR_HEADER_BYTES);
  /** Size of the chunk, or of its header until that is known; Infinity if the chunk was not finished. */
  #wanted = JFR_HEADER_BYTES;
  /** The bytes after the last chunk are not a chunk. */
  #isBeyond = false;

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && !this.#isBeyond;) {
      const part = chunk.subarray(at, at + Math.min(chunk.length - at, this.#wanted - this.#collected));
      if (this.#collected < JFR_HEADER_BYTES) {
        this.#header.set(part.subarray(0, JFR_HEADER_BYTES - this.#collected), this.#collected);
      }
      this.#bytes.push(part);
      this.#collected += part.length;
      at += part.length;
      if (this.#collected === this.#wanted) this.#advance();
    }
  }

  finish(): Profile {
    if (this.#collected > 0) this.#readRest();
    if (this.#isBeyond) {
      this.#builder.diagnostics.add(
        'truncated-input',
        'Data after the last finished chunk was skipped: the recording was copied while it ran, or is damaged.',
        { first: { byte: this.#origin }, remedy: 'Stop the recording, or dump it with `jcmd PID JFR.dump`.' },
      );
    }
    const valueTypes = this.#samples?.valueTypes() ?? [];
    if (valueTypes.length === 0 || this.#first === null) {
      throw unsupported(
        'JFR: no event of the recording has a stack; record with settings=profile, or with async-profiler',
        { byte: 0 },
      );
    }
    const { startNs } = this.#first;
    const profile = this.#builder.finish(valueTypes, {
      format: 'jfr',
      ...this.#about.metadata(),
      timeOrigin: startNs,
      startTime: startNs,
      durationNs: this.#durationNs > 0 ? this.#durationNs : null,
    });
    return diagnoseUnresolved(profile, 'Install the debug symbols of the JVM and of its native libraries.');
  }

  /** Called when the header or the whole chunk has arrived. */
  #advance(): void {
    if (this.#wanted === JFR_HEADER_BYTES && this.#collected === JFR_HEADER_BYTES) {
      if (this.#first !== null && !isMagic(this.#header)) {
        this.#isBeyond = true;
        this.#collected = 0;
        return;
      }
      const { size } = readJfrHeader(this.#header, this.#origin);
      this.#wanted = size > JFR_HEADER_BYTES ? size : Infinity;
      return;
    }
    const bytes = this.#bytes.finish();
    this.#read(new JfrChunk(bytes, this.#origin, true));
    this.#origin += bytes.length;
    this.#collected = 0;
    this.#wanted = JFR_HEADER_BYTES;
  }

  /** Reads as much of an incomplete chunk as possible; a useless chunk is only reported if others were read. */
  #readRest(): void {
    const at = this.#origin;
    let end = at + this.#collected;
    try {
      const bytes = this.#bytes.finish();
      const chunk = new JfrChunk(bytes, at, false);
      if (chunk.cutAt !== null) end = at + chunk.cutAt;
      this.#read(chunk);
    } catch (error) {
      if (this.#first === null || !(error instanceof ImportFailure)) throw error;
      this.#isBeyond = true;
      return;
    }
    this.#builder.diagnostics.add('truncated-input', 'The last chunk is not finished; its complete part was read.', {
      first: { byte: end },
      remedy: 'Copy the whole file; stop the recording first, or dump it with `jcmd PID JFR.dump`.',
    });
  }

  #read(chunk: JfrChunk): void {
    const { header } = chunk;
    this.#first ??= header;
    this.#samples ??= new JfrSamples(this.#builder, this.#about, header.startNs);
    const end = Number(header.startNs - this.#first.startNs) + header.durationNs;
    this.#durationNs = Math.max(this.#durationNs, end);
    const constants = new JfrConstants(chunk);
    chunk.forEachEvent((event) => {
      const name = chunk.metadata.type(event.typeId)?.name;
      if (name !== undefined && JfrAbout.tells(name)) this.#about.read(chunk, constants, event);
    });
    this.#samples.readChunk(chunk, constants);
  }
}

const isMagic = (bytes: Uint8Array): boolean => new DataView(bytes.buffer).getUint32(0) === JFR_MAGIC;
