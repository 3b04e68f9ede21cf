import { documentOf, documentToJson } from '../model/native-document.ts';
import { VERSION } from '../model/native-layout.ts';
import { NO_ADDRESS, type Profile } from '../model/profile.ts';

/** Text is encoded and handed out whenever this many UTF-16 units have come together. */
const CHUNK_UNITS = 64 * 1024;

/**
 * Writes the profile as JSON, column by column, without ever holding the whole text: the native file's content for programs that read
 * JSON. docs/profile-model.md describes the shape.
 */
export function writeJson(profile: Profile, write: (chunk: Uint8Array) => void): void {
  const out = new JsonText(write);
  const { functions, frames, stacks, threads, samples } = profile;
  // The parts that are no columns come as the native file has them, without their closing brace.
  out.put(`{"flamebench":${VERSION},\n`);
  out.put(documentToJson(documentOf(profile)).slice(1, -1));
  out.key(',\n"strings"');
  out.array(profile.strings, (text) => JSON.stringify(text));
  out.table('functions', {
    name: functions.name,
    module: functions.module,
    file: functions.file,
    line: functions.line,
    kind: functions.kind,
  });
  out.table('frames', { func: frames.func, address: frames.address, line: frames.line, inline: frames.inline });
  out.table('stacks', { parent: stacks.parent, frame: stacks.frame });
  out.table('threads', { pid: threads.pid, tid: threads.tid, name: threads.name });
  out.table('samples', {
    stack: samples.stack,
    thread: samples.thread,
    event: samples.event,
    time: samples.time,
    cpu: samples.cpu,
    labelSet: samples.labelSet,
    weights: samples.weights,
  });
  out.put('}\n');
  out.flush();
}

type NumberColumn = Int32Array | Uint8Array | Int16Array | Float64Array;
type Column = NumberColumn | BigUint64Array | null | readonly NumberColumn[];

class JsonText {
  readonly #write: (chunk: Uint8Array) => void;
  readonly #encoder = new TextEncoder();
  #text = '';

  constructor(write: (chunk: Uint8Array) => void) {
    this.#write = write;
  }

  put(text: string): void {
    this.#text += text;
    if (this.#text.length >= CHUNK_UNITS) this.flush();
  }

  key(quoted: string): void {
    this.put(`${quoted}:`);
  }

  flush(): void {
    if (this.#text !== '') this.#write(this.#encoder.encode(this.#text));
    this.#text = '';
  }

  table(name: string, columns: Readonly<Record<string, Column>>): void {
    this.key(`,\n"${name}"`);
    let separator = '{';
    for (const [columnName, column] of Object.entries(columns)) {
      this.key(`${separator}\n"${columnName}"`);
      this.#column(column);
      separator = ',';
    }
    this.put('}');
  }

  array<T>(values: ArrayLike<T>, toText: (value: T) => string): void {
    this.put('[');
    for (let row = 0; row < values.length; row++) this.put((row === 0 ? '' : ',') + toText(values[row]!));
    this.put(']');
  }

  #column(column: Column): void {
    if (column === null) this.put('null');
    else if (column instanceof BigUint64Array) this.array(column, addressText);
    else if (isNumbers(column)) this.array(column, numberText);
    else {
      this.put('[');
      column.forEach((weights, index) => {
        if (index > 0) this.put(',\n');
        this.array(weights, numberText);
      });
      this.put(']');
    }
  }
}

function isNumbers(column: NumberColumn | readonly NumberColumn[]): column is NumberColumn {
  return !Array.isArray(column);
}

/** Absent times are NaN in the profile, null here; integers beyond 2^53 are strings. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'null';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? `"${BigInt(value)}"` : String(value);
}

function addressText(address: bigint): string {
  return address === NO_ADDRESS ? 'null' : `"0x${address.toString(16)}"`;
}
