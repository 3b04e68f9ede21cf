import { checkProfile } from '../model/check-profile.ts';
import { malformed, tooLarge, unrecognized, type ImportFailure } from '../model/failure.ts';
import { joinBytes } from '../model/join-bytes.ts';
import type { Profile } from '../model/profile.ts';
import { redactCommandLine } from '../redact/redact-argv.ts';
import { detectImporter, findImporter, HEAD_BYTES, makeHead } from './detect.ts';
import type { ByteSource, Importer, ImportOptions, ImportSession } from './importer.ts';
import { judgeNumbers } from './judge-numbers.ts';
import { importers } from './registry.ts';
import type { SymbolRequest, SymbolTable } from '../symbols/symbols.ts';
import { UnwrapMeter, type ByteSink } from './unpack/unwrap-meter.ts';
import { isGzip, UnwrapStage } from './unpack/unwrap.ts';
import { diagnostic } from '../model/diagnostics.ts';

/** Maximum source bytes between two calls of `onProgress`, because a source may deliver a whole file as one chunk. */
const PROGRESS_BYTES = 2 ** 20;

/**
 * Reads a profile of any known format: removes compression and text encodings, finds the importer by content, parses,
 * and checks the result. Throws `ImportFailure`; an exception from `onProgress` (to cancel) is passed on.
 */
export async function importProfile(source: ByteSource, options: ImportOptions = {}): Promise<Profile> {
  const reading = new SourcePass(source, options);
  try {
    return finishImport(await reading.parse(), source.fileName);
  } catch (error) {
    if (error === reading.thrown || !(error instanceof RangeError) || !isOutOfMemory(error)) throw error;
    throw outOfMemory(error);
  }
}

/** One pass over a source. */
class SourcePass {
  readonly #source: ByteSource;
  readonly #options: ImportOptions;
  readonly #parsing: ParseStage;
  readonly #meter = new UnwrapMeter();
  /** The exception thrown by `onProgress`. */
  thrown: unknown = null;

  constructor(source: ByteSource, options: ImportOptions) {
    this.#source = source;
    this.#options = options;
    this.#parsing = new ParseStage(source.fileName, options.format);
  }

  async parse(): Promise<Parsed> {
    const chunks = this.#source.chunks()[Symbol.asyncIterator]();
    const first = await chunks.next();
    const { gunzip } = this.#options;
    if (first.done === true) throw empty();
    const all = beginningWith(first.value, chunks);
    await (gunzip !== undefined && isGzip(first.value)
      ? this.#read(gunzip(all, this.#meter), new UnwrapStage(this.#parsing, this.#meter, 1))
      : this.#read(all, new UnwrapStage(this.#parsing, this.#meter)));
    await this.#parsing.start();
    return this.#parsing.finish(await this.#findSymbols());
  }

  /** Returns symbol tables by path; undefined if there is no symbol source. */
  async #findSymbols(): Promise<ReadonlyMap<string, SymbolTable> | undefined> {
    const { symbols } = this.#options;
    if (symbols === undefined) return undefined;
    const tables = new Map<string, SymbolTable>();
    for (const request of this.#parsing.wantedSymbols()) {
      const table = await symbols(request);
      if (table !== null) tables.set(request.path, table);
    }
    return tables;
  }

  async #read(chunks: AsyncIterable<Uint8Array>, unwrapping: UnwrapStage): Promise<void> {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) {
        const piece = chunk.subarray(at, at + (this.#parsing.isStarted ? PROGRESS_BYTES : HEAD_BYTES));
        unwrapping.push(piece);
        at += piece.length;
        this.#report();
        if (!this.#parsing.isStarted) await this.#parsing.start();
      }
    }
    if (this.#meter.sourceBytes === 0) throw empty();
    unwrapping.end();
  }

  #report(): void {
    try {
      this.#options.onProgress?.(this.#meter.sourceBytes, this.#source.size);
    } catch (error) {
      this.thrown = error;
      throw error;
    }
  }
}

const empty = (): ImportFailure => unrecognized('the file is empty');

async function* beginningWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

interface Parsed {
  readonly profile: Profile;
  readonly importer: Importer;
}

/** Judges and checks what an importer made. Throws `ImportFailure`. */
export function finishImport({ profile: parsed, importer }: Parsed, fileName: string): Profile {
  // A native file or a report has numbers of its first format.
  const origin = importers.find(({ id }) => id === parsed.metadata.format) ?? importer;
  const profile = judgeNumbers(parsed, origin.differences === true);
  try {
    checkProfile(profile);
  } catch (error) {
    if (!(error instanceof RangeError) || isOutOfMemory(error)) throw error;
    throw malformed(`the ${importer.id} importer produced an invalid profile: ${error.message}`);
  }
  const { metadata, strings } = profile;
  const command = metadata.command === null ? null : redactCommandLine(metadata.command);
  return {
    ...diagnoseEmpty(diagnoseWithoutStack(profile)),
    strings: strings.map(wellFormed),
    metadata: { ...metadata, command, fileName: metadata.fileName ?? fileName },
  };
}

/** Halves of surrogate pairs without the other half. */
const LONE_SURROGATES = /\p{Cs}/gu;

/** Returns a name with lone surrogates as JSON escapes, which stay distinct in files: UTF-8 has U+FFFD for all of them. */
const wellFormed = (text: string): string =>
  text.isWellFormed() ? text : text.replaceAll(LONE_SURROGATES, (half) => `\\u${half.charCodeAt(0).toString(16)}`);

/**
 * Collects the head, selects the importer by it, then passes everything on. Bytes that arrive before the importer is
 * loaded are kept.
 */
class ParseStage implements ByteSink {
  readonly #fileName: string;
  #importer: Importer | null;
  #session: ImportSession | null = null;
  /**
   * Copies of the bytes before the session started: fewer than the unwrapped size of {@link HEAD_BYTES}, which its
   * meter bounds.
   */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isEnded = false;

  constructor(fileName: string, format: string | undefined) {
    this.#fileName = fileName;
    this.#importer = format === undefined ? null : findImporter(format, importers);
  }

  push(chunk: Uint8Array): void {
    if (this.#session !== null) return this.#session.push(chunk);
    this.#waiting.push(chunk.slice());
    this.#waitingBytes += chunk.length;
  }

  end(): void {
    this.#isEnded = true;
  }

  /** From now on, bytes go to a session. */
  get isStarted(): boolean {
    return this.#session !== null;
  }

  /** Starts parsing once there is enough to select the importer. Awaited between pushes, and after the end. */
  async start(): Promise<void> {
    if (this.#session !== null) return;
    if (!this.#isEnded && this.#waitingBytes < (this.#importer === null ? HEAD_BYTES : 1)) return;
    if (this.#waitingBytes === 0) {
      throw unrecognized('the file holds compressed or encoded data of zero bytes');
    }
    const [first, ...rest] = this.#importer === null ? [joinBytes(this.#waiting)] : this.#waiting;
    this.#waiting = [];
    const complete = this.#isEnded;
    if (this.#importer === null) {
      const head = makeHead(first!.subarray(0, HEAD_BYTES), complete);
      this.#importer = detectImporter(head, this.#fileName, importers);
      if (this.#importer === null)
        throw (await import('./foreign/content.ts')).nameForeignContent(head, this.#fileName);
    }
    this.#session = await this.#importer.start({ fileName: this.#fileName });
    for (const chunk of [first!, ...rest]) this.#session.push(chunk);
  }

  /** Returns the binaries whose symbols are missing; valid after `end`. */
  wantedSymbols(): readonly SymbolRequest[] {
    return this.#session?.wantedSymbols?.() ?? [];
  }

  async finish(symbols: ReadonlyMap<string, SymbolTable> | undefined): Promise<Parsed> {
    return { profile: await this.#session!.finish(symbols), importer: this.#importer! };
  }
}

/** Messages of engines when an array, a string or a Map can't grow further. */
function isOutOfMemory(error: RangeError): boolean {
  return /allocation failed|invalid (typed )?array length|invalid string length|(map|set) maximum size/i.test(
    error.message,
  );
}

function outOfMemory(error: RangeError): ImportFailure {
  return tooLarge(
    `the profile does not fit into memory (${error.message}); record for a shorter time or at a lower rate`,
  );
}

/** Returns the profile with a warning if no sample has weight, unless its importer said so. */
function diagnoseEmpty(profile: Profile): Profile {
  const { samples, valueTypes, diagnostics } = profile;
  const hasWeight =
    samples.length > 0 &&
    valueTypes.some(({ column }) => column < 0 || samples.weights[column]!.some((weight) => weight !== 0));
  if (hasWeight || diagnostics.some(({ code }) => code === 'no-samples')) return profile;
  const message = samples.length === 0 ? 'The input has no samples.' : 'No sample has weight.';
  const remedy = 'Record while the program works, and check that the file is complete.';
  return { ...profile, diagnostics: [...diagnostics, diagnostic('no-samples', message, { remedy })] };
}

const CODE = 'samples-without-stack';

/**
 * Returns the profile with a warning if more than half of its samples have no stack, whatever its format, because
 * graphs and tables then show the smaller part. Returns the profile unchanged otherwise, or if it has the warning
 * already (as native files do).
 */
function diagnoseWithoutStack(profile: Profile): Profile {
  const { samples, diagnostics } = profile;
  let count = 0;
  for (const stack of samples.stack) if (stack < 0) count += 1;
  if (count * 2 <= samples.length || diagnostics.some(({ code }) => code === CODE)) return profile;
  const percent = ((count / samples.length) * 100).toFixed(1);
  const message = `${percent} % of the samples have no stack: they count in the total, but in no function.`;
  const remedy = 'Record again with call stacks enabled, or check that the file is complete.';
  return { ...profile, diagnostics: [...diagnostics, diagnostic(CODE, message, { count, remedy })] };
}
