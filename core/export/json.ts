import { documentOf, documentToJson } from '../model/native/document.ts';
import { FORMAT_VERSION } from '../model/native/layout.ts';
import { NO_ADDRESS, type Profile } from '../model/profile.ts';
import { JsonText } from './json-text.ts';

/**
 * Writes the profile as JSON, column by column, without ever holding the whole text: the native file's content for
 * programs that read JSON. docs/profile-model.md describes the shape.
 */
export function writeJson(profile: Profile, write: (chunk: Uint8Array) => void): void {
  const out = new ProfileText(write);
  const { functions, frames, stacks, threads, samples } = profile;
  // The parts that are not columns are as in the native file, without their closing brace.
  out.put(`{"flamebench":${FORMAT_VERSION},\n`);
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
    ...(samples.duration ? { duration: samples.duration } : {}),
    cpu: samples.cpu,
    labelSet: samples.labelSet,
    weights: samples.weights,
  });
  out.put('}\n');
  out.flush();
}

type TypedColumn = Int32Array | Uint8Array | Int16Array | Float64Array;
type Column = TypedColumn | BigUint64Array | null | readonly TypedColumn[];

class ProfileText extends JsonText {
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

function isNumbers(column: TypedColumn | readonly TypedColumn[]): column is TypedColumn {
  return !Array.isArray(column);
}

/** Absent times are NaN in the profile and null here; integers beyond 2^53 are strings. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'null';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? `"${BigInt(value)}"` : String(value);
}

function addressText(address: bigint): string {
  return address === NO_ADDRESS ? 'null' : `"0x${address.toString(16)}"`;
}
