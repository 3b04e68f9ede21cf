import { decodeText } from '../../model/decode-text.ts';
import { BYTES, VARINT, WireReader } from '../../wire/protobuf-reader.ts';

/** A part of the trace's bytes that is a message or a text. */
export interface Part {
  readonly start: number;
  readonly stop: number;
}

/** The fields of one message by number; of a repeated one all, in order. */
export class Message {
  readonly #bytes: Uint8Array;
  readonly #numbers = new Map<number, bigint[]>();
  readonly #parts = new Map<number, Part[]>();

  constructor(bytes: Uint8Array, { start, stop }: Part) {
    this.#bytes = bytes;
    const reader = new WireReader(bytes, start, stop, 'Perfetto');
    while (reader.next()) {
      if (reader.type === BYTES) add(this.#parts, reader.field, { start: reader.start, stop: reader.stop });
      else add(this.#numbers, reader.field, reader.unsigned);
    }
  }

  /** The last value, as protobuf requires; undefined if there is none. */
  number(field: number): bigint | undefined {
    return this.#numbers.get(field)?.at(-1);
  }

  /** Signed 32-bit numbers are encoded as 64-bit ones. */
  int(field: number, fallback = -1): number {
    const value = this.number(field);
    return value === undefined ? fallback : Number(BigInt.asIntN(32, value));
  }

  /** Numbers of a repeated field, packed or not. */
  numbers(field: number): bigint[] {
    const packed = this.parts(field).flatMap(({ start, stop }) => {
      const reader = new WireReader(this.#bytes, start, stop, 'Perfetto');
      const numbers: bigint[] = [];
      while (reader.nextPacked()) numbers.push(reader.unsigned);
      return numbers;
    });
    return [...(this.#numbers.get(field) ?? []), ...packed];
  }

  parts(field: number): readonly Part[] {
    return this.#parts.get(field) ?? [];
  }

  has(field: number): boolean {
    return this.#parts.has(field) || this.#numbers.has(field);
  }

  messages(field: number): Message[] {
    return this.parts(field).map((part) => new Message(this.#bytes, part));
  }

  message(field: number): Message | undefined {
    const part = this.parts(field).at(-1);
    return part === undefined ? undefined : new Message(this.#bytes, part);
  }

  text(field: number): string | undefined {
    const part = this.parts(field).at(-1);
    return part === undefined ? undefined : decodeText(this.#bytes.subarray(part.start, part.stop)).text;
  }
}

function add<V>(lists: Map<number, V[]>, field: number, value: V): void {
  const known = lists.get(field);
  if (known === undefined) lists.set(field, [value]);
  else known.push(value);
}

/** Yields the packets of a trace; its other fields are none of ours. */
export function* packetsOf(bytes: Uint8Array): Generator<Part> {
  const reader = new WireReader(bytes, 0, bytes.length, 'Perfetto');
  while (reader.next()) {
    if (reader.field === 1 && reader.type !== VARINT) yield { start: reader.start, stop: reader.stop };
  }
}
