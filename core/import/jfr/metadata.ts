import { memo } from '../../model/memo.ts';
import { JFR_PRIMITIVES, type JfrBytes, type JfrPrimitive } from './bytes.ts';

/** A type that the recording itself describes: of events, of constants, of structures within them. */
interface JfrType {
  readonly id: number;
  readonly name: string;
  readonly fields: readonly JfrField[];
}

interface JfrField {
  readonly name: string;
  /** → types, by id. */
  readonly typeId: number;
  readonly isArray: boolean;
  /** The value is a key into the constants of its type. */
  readonly isConstant: boolean;
  /** `TICKS`, `BYTES`…: the value of the annotation Timespan or DataAmount; empty if there is none. */
  readonly unit: string;
}

/** One value as stored in the bytes, with structures resolved into their fields. */
export interface JfrOperation {
  /** `stackTrace`, or `heap.used` for a value within a structure. */
  readonly path: string;
  /** null: a key into the constants of `typeId`. */
  readonly primitive: JfrPrimitive | null;
  readonly typeId: number;
  readonly unit: string;
  /** Fields of an array's items; null if it is not an array. */
  readonly items: readonly JfrOperation[] | null;
}

/** Maximum nesting of structures and arrays; the JVM's own are two levels deep. */
const MAX_NESTING = 8;
/** Maximum for all types of a chunk; the JVM's have about 2,000 fields. */
const MAX_OPERATIONS = 200_000;
/** Maximum elements of the description; JDK 21 has about 8,000. */
const MAX_ELEMENTS = 1_000_000;

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
}

/** The types that a chunk describes, from the body of its metadata event. */
export class JfrMetadata {
  readonly #types = new Map<number, JfrType>();
  /** Returns how a value of the type is read: empty if the type has no fields. */
  readonly operations = memo((typeId: number): readonly JfrOperation[] => this.#resolve(typeId, '', 0));
  #operationsLeft = MAX_OPERATIONS;
  readonly #bytes: JfrBytes;
  readonly #at: number;

  /** `bytes` must be after the event's type. */
  constructor(bytes: JfrBytes) {
    this.#bytes = bytes;
    this.#at = bytes.at;
    for (const part of readElements(bytes).children) {
      if (part.name === 'metadata') this.#addTypes(part.children.filter(({ name }) => name === 'class'));
    }
  }

  type(id: number): JfrType | undefined {
    return this.#types.get(id);
  }

  #addTypes(classes: readonly Element[]): void {
    const names = new Map(classes.map(({ attributes }) => [attributes.get('id'), attributes.get('name') ?? '']));
    const unitOf = (field: Element): string => {
      const annotation = field.children.find(({ name, attributes }) => {
        const type = names.get(attributes.get('class')) ?? '';
        return name === 'annotation' && /^jdk\.jfr\.(Timespan|Timestamp|DataAmount)$/.test(type);
      });
      return annotation?.attributes.get('value') ?? annotation?.attributes.get('value-0') ?? '';
    };
    for (const { attributes, children } of classes) {
      const id = Number(attributes.get('id'));
      const fields = children
        .filter(({ name }) => name === 'field')
        .map((field) => ({
          name: field.attributes.get('name') ?? '',
          typeId: Number(field.attributes.get('class')),
          isArray: (field.attributes.get('dimension') ?? '0') !== '0',
          isConstant: field.attributes.get('constantPool') === 'true',
          unit: unitOf(field),
        }));
      this.#types.set(id, { id, name: attributes.get('name') ?? '', fields });
    }
  }

  #resolve(typeId: number, path: string, depth: number): JfrOperation[] {
    const type = this.#types.get(typeId);
    if (type === undefined) throw this.#bytes.malformed(`has a field of an unknown type ${typeId}`, this.#at);
    const primitive = JFR_PRIMITIVES.find((name) => name === type.name);
    if (primitive !== undefined && depth === 0) return [{ path, primitive, typeId, unit: '', items: null }];
    if (depth > MAX_NESTING) throw this.#bytes.malformed('has a type within itself', this.#at);
    return type.fields.flatMap((field) => this.#resolveField(field, path, depth));
  }

  #resolveField(field: JfrField, prefix: string, depth: number): JfrOperation[] {
    this.#operationsLeft -= 1;
    if (this.#operationsLeft < 0) throw this.#bytes.malformed('has types with too many fields', this.#at);
    const { typeId, unit, isArray, isConstant } = field;
    const path = prefix === '' ? field.name : `${prefix}.${field.name}`;
    const name = this.#types.get(typeId)?.name;
    const primitive = JFR_PRIMITIVES.find((each) => each === name);
    const single: JfrOperation[] =
      isConstant || primitive !== undefined
        ? [{ path, primitive: isConstant ? null : primitive!, typeId, unit, items: null }]
        : this.#resolve(typeId, isArray ? '' : path, depth + 1);
    return isArray ? [{ path, primitive: null, typeId, unit, items: single }] : single;
  }
}

/** Skips the values of one item. */
export function skipOperations(bytes: JfrBytes, operations: readonly JfrOperation[]): void {
  for (const operation of operations) skipOperation(bytes, operation);
}

export function skipOperation(bytes: JfrBytes, { primitive, items }: JfrOperation): void {
  if (items !== null) {
    const count = bytes.count();
    if (items.length > 0) for (let index = 0; index < count; index++) skipOperations(bytes, items);
  } else if (primitive === null) bytes.long();
  else bytes.number(primitive);
}

/** Reads the root of a metadata event's tree. Layout after the type: start, duration, id, strings, the tree. */
function readElements(bytes: JfrBytes): Element {
  const at = bytes.at;
  bytes.long();
  bytes.long();
  bytes.long();
  const strings = Array.from({ length: bytes.count() }, () => bytes.string() ?? '');
  const text = (): string => {
    const index = bytes.int();
    const found = strings[index];
    if (found === undefined) throw bytes.malformed('refers to a string that its description lacks');
    return found;
  };
  const read = (): Element => {
    const name = text();
    const attributes = new Map<string, string>();
    const count = bytes.count();
    for (let index = 0; index < count; index++) attributes.set(text(), text());
    return { name, attributes, children: [] };
  };
  const root = read();
  const open = [{ element: root, left: bytes.count() }];
  let elements = 1;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.left === 0) {
      open.pop();
      continue;
    }
    top.left -= 1;
    elements += 1;
    if (elements > MAX_ELEMENTS) throw bytes.malformed('describes too many types', at);
    const element = read();
    top.element.children.push(element);
    open.push({ element, left: bytes.count() });
  }
  return root;
}
