import type { ThreadIndex } from '../../model/brand.ts';
import { memo } from '../../model/memo.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Label } from '../../model/profile.ts';
import type { JfrChunk } from './chunk.ts';
import type { JfrConstants, JfrReference } from './constants.ts';
import { weightsOfEvent, type JfrWeight } from './events.ts';
import { skipOperation, type JfrOperation } from './metadata.ts';
import { EMPTY, JfrStacks, type JfrStack } from './stacks.ts';

type Role = 'time' | 'stack' | 'thread' | 'number' | 'label' | 'skip';

interface Step {
  readonly operation: JfrOperation;
  readonly role: Role;
}

/** How the events of one type are read. */
export interface JfrEventReader {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly weights: readonly JfrWeight[];
}

/** The content of an event. */
export interface JfrEventValues {
  time: number | undefined;
  stack: JfrStack;
  thread: ThreadIndex | null;
  readonly numbers: Map<string, number>;
  readonly labels: Label[];
}

const NOT_LABELS = new Set(['eventThread', 'sampledThread', 'stackTrace']);
/** Numbers that identify something: async-profiler's and Pyroscope's contexts. */
const NUMBER_LABELS = new Set(['contextId', 'spanId', 'spanName']);

/** Reads the events of one chunk. */
export class JfrEventReading {
  readonly #chunk: JfrChunk;
  readonly #constants: JfrConstants;
  readonly #stacks: JfrStacks;
  readonly #builder: ProfileBuilder;
  readonly #pid: number;
  /** Returns null if events of the type have no stack. */
  readonly readerOf = memo((typeId: number) => this.#makeReader(typeId));
  readonly #threads = new Map<number, ThreadIndex | null>();

  constructor(chunk: JfrChunk, constants: JfrConstants, builder: ProfileBuilder, pid: number) {
    this.#chunk = chunk;
    this.#constants = constants;
    this.#stacks = new JfrStacks(chunk, constants, builder);
    this.#builder = builder;
    this.#pid = pid;
  }

  /** Reads an event. The cursor must be after its type. */
  read({ steps }: JfrEventReader): JfrEventValues {
    const { bytes } = this.#chunk;
    const values: JfrEventValues = { time: undefined, stack: EMPTY, thread: null, numbers: new Map(), labels: [] };
    for (const { operation, role } of steps) {
      const { end } = bytes;
      if (role === 'skip') skipOperation(bytes, operation);
      else if (role === 'stack') {
        bytes.long();
        const { at } = bytes;
        values.stack = this.#stacks.stack(operation.typeId);
        bytes.enter(at, end);
      } else this.#readInto(values, operation, role, end);
    }
    return values;
  }

  #readInto(values: JfrEventValues, operation: JfrOperation, role: Role, end: number): void {
    const { bytes } = this.#chunk;
    const value = this.#constants.readValue(operation);
    const { at } = bytes;
    const { path } = operation;
    if (role === 'time') values.time = this.#chunk.timeOfTicks();
    else if (role === 'thread') {
      if (typeof value === 'object' && value !== null) values.thread = this.#thread(value);
    } else if (role === 'number') {
      if (typeof value === 'number') values.numbers.set(path, this.#inUnits(value, operation.unit));
    } else if (NUMBER_LABELS.has(path)) {
      if (value !== 0) values.labels.push({ key: path, text: bytes.unsignedText });
    } else {
      const text = this.#constants.text(value);
      if (text !== '') values.labels.push({ key: path, text: path.endsWith('Class') ? className(text) : text });
    }
    bytes.enter(at, end);
  }

  #makeReader(typeId: number): JfrEventReader | null {
    const { metadata } = this.#chunk;
    const type = metadata.type(typeId);
    if (type === undefined) return null;
    const operations = metadata.operations(typeId);
    const isStack = (operation: JfrOperation): boolean =>
      operation.path === 'stackTrace' &&
      operation.items === null &&
      operation.primitive === null &&
      metadata.type(operation.typeId)?.name === 'jdk.types.StackTrace';
    if (!operations.some(isStack)) return null;
    const weights = weightsOfEvent(type.name, operations);
    const fields = new Set(weights.map(({ field }) => field));
    const roleOf = (operation: JfrOperation): Role => {
      const { path, items, primitive } = operation;
      if (items !== null) return 'skip';
      if (isStack(operation)) return 'stack';
      if (path === 'startTime' && primitive === 'long') return 'time';
      if (primitive === null && (path === 'sampledThread' || path === 'eventThread')) return 'thread';
      if (fields.has(path)) return 'number';
      if (NOT_LABELS.has(path)) return 'skip';
      const isText = primitive === null || primitive === 'java.lang.String';
      return isText || (primitive === 'long' && NUMBER_LABELS.has(path)) ? 'label' : 'skip';
    };
    return { name: type.name, weights, steps: operations.map((operation) => ({ operation, role: roleOf(operation) })) };
  }

  /** Converts durations to nanoseconds; other values are unchanged. */
  #inUnits(value: number, unit: string): number {
    switch (unit) {
      case 'TICKS':
        return this.#chunk.ticksToNs(value);
      case 'MICROSECONDS':
        return value * 1e3;
      case 'MILLISECONDS':
        return value * 1e6;
      case 'SECONDS':
        return value * 1e9;
      default:
        return value;
    }
  }

  /** A virtual thread has no id of the system, and often no name. */
  #thread(reference: JfrReference): ThreadIndex | null {
    const known = this.#threads.get(reference.row);
    if (known !== undefined) return known;
    const values = this.#constants.valuesOf(reference);
    if (values === null) return null;
    const [osId, javaId] = [values.get('osThreadId'), values.get('javaThreadId')];
    const tid = typeof osId === 'number' && osId > 0 ? osId : -1;
    const name = this.#constants.text(values.get('javaName')) || this.#constants.text(values.get('osName'));
    const isNamed = name !== '' || tid >= 0 || typeof javaId !== 'number' || javaId <= 0;
    const thread = this.#builder.thread(this.#pid, tid, isNamed ? name : `virtual thread ${javaId}`);
    this.#threads.set(reference.row, thread);
    return thread;
  }
}

const PRIMITIVES: ReadonlyMap<string, string> = new Map([
  ['B', 'byte'],
  ['C', 'char'],
  ['D', 'double'],
  ['F', 'float'],
  ['I', 'int'],
  ['J', 'long'],
  ['S', 'short'],
  ['Z', 'boolean'],
]);

/** Returns `java.lang.String[]` for `[Ljava/lang/String;`. */
function className(text: string): string {
  const [, dimensions = '', item = ''] = /^(\[*)(.*)$/s.exec(text)!;
  const name = dimensions === '' ? item : (PRIMITIVES.get(item) ?? item.replace(/^L(.*);$/s, '$1'));
  return name.replaceAll('/', '.') + '[]'.repeat(Math.min(dimensions.length, MAX_DIMENSIONS));
}

/** The maximum of Java's arrays. */
const MAX_DIMENSIONS = 255;
