import type { JfrChunk } from './chunk.ts';
import { skipOperation, type JfrOperation } from './metadata.ts';

/** A constant to which a value refers; row −1 if the chunk lacks it. */
export interface JfrReference {
  readonly typeId: number;
  readonly row: number;
}

export type JfrValue = string | number | JfrReference | null;

/** Maximum chain of references; a class's name takes two. */
const MAX_STEPS = 8;
/** Fields that hold a type's text, in order of preference. */
const TEXT_FIELDS = ['string', 'name', 'description', 'javaName', 'value'];

/** The values of one chunk's constants. */
export class JfrConstants {
  readonly #chunk: JfrChunk;
  readonly #texts = new Map<string, string>();

  constructor(chunk: JfrChunk) {
    this.#chunk = chunk;
  }

  /** Reads the values at the cursor, by their paths; skips arrays. */
  readValues(operations: readonly JfrOperation[]): Map<string, JfrValue> {
    const values = new Map<string, JfrValue>();
    for (const operation of operations) {
      if (operation.items === null) values.set(operation.path, this.readValue(operation));
      else skipOperation(this.#chunk.bytes, operation);
    }
    return values;
  }

  /** Reads one value at the cursor that is not an array. */
  readValue({ primitive, typeId }: JfrOperation): JfrValue {
    const { bytes } = this.#chunk;
    if (primitive === 'java.lang.String') {
      const text = bytes.string();
      return bytes.isConstant ? this.#referenceTo(typeId) : text;
    }
    if (primitive !== null) return bytes.number(primitive);
    bytes.long();
    return this.#referenceTo(typeId);
  }

  /** Returns the values of a constant; null if the chunk lacks it. */
  valuesOf({ typeId, row }: JfrReference): Map<string, JfrValue> | null {
    return row < 0 ? null : this.readValues(this.#chunk.enterConstant(typeId, row));
  }

  /** Returns the text of a value or of what it refers to, along `path` if given; empty if there is none. */
  text(value: JfrValue | undefined, ...path: string[]): string {
    if (value === undefined || value === null) return '';
    if (typeof value !== 'object') return String(value);
    const key = `${value.typeId} ${value.row} ${path.join(' ')}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = this.#follow(value, path);
    this.#texts.set(key, text);
    return text;
  }

  #follow(from: JfrReference, path: readonly string[]): string {
    let value: JfrValue = from;
    for (let step = 0; step < MAX_STEPS && typeof value === 'object' && value !== null; step++) {
      const values = this.valuesOf(value);
      if (values === null) return '';
      const name = path[step] ?? TEXT_FIELDS.find((field) => values.has(field)) ?? '';
      // Constants of type String are their own text.
      value = values.get(name) ?? values.get('') ?? null;
    }
    return value === null || typeof value === 'object' ? '' : String(value);
  }

  #referenceTo(typeId: number): JfrReference {
    const { low, high } = this.#chunk.bytes;
    return { typeId, row: this.#chunk.constantRow(typeId, low, high) };
  }
}
