/** A field of a type in a flight recording. */

export interface JfrFieldText {
  readonly name: string;
  /** Name of the field's type. */
  readonly type: string;
  readonly constant?: boolean;
  readonly array?: boolean;
  /** Annotation and its value: `jdk.jfr.Timespan` and `TICKS`. */
  readonly annotation?: readonly [string, string];
}

export type JfrTypes = Readonly<Record<string, readonly JfrFieldText[]>>;

/** A value of a field: an object for a structure, a key for a reference. */
export type JfrInput =
  | number
  | bigint
  | string
  | boolean
  | null
  | readonly JfrInput[]
  | { readonly [name: string]: JfrInput };

export interface EncodedJfr {
  readonly types: JfrTypes;
  /** Constants by type, each with its key. */
  readonly constants?: Readonly<Record<string, readonly (readonly [number, JfrInput])[]>>;
  /** Each event's type and fields. */
  readonly events?: readonly (readonly [string, JfrInput])[];
  /** Feature flags. Bit 0: integers are compressed. */
  readonly features?: bigint;
  readonly startNs?: bigint;
  readonly durationNs?: bigint;
  readonly startTicks?: bigint;
  readonly ticksPerSecond?: bigint;
  /** Id of the type descriptions; chunks with the same id have the same descriptions. */
  readonly metadataId?: number;
  readonly version?: readonly [number, number];
  /** Size in the header, for a chunk that is still being written. */
  readonly size?: bigint;
  /** Writes strings with two bytes a character. */
  readonly wideStrings?: boolean;
}

const HEADER = 68;
/** First id of types other than the primitive ones. */
const OWN_IDS = 100;
/** Names of types that are events; `jfr print` needs to know them. */
const EVENT = /^(?:jdk\.(?!types\.|jfr\.)|profiler\.)/;
const PRIMITIVES = ['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double', 'java.lang.String'];

class Bytes {
  readonly bytes: number[] = [];
  readonly #wide: boolean;

  constructor(wide: boolean) {
    this.#wide = wide;
  }

  fixed(value: bigint, size: number): void {
    for (let shift = size - 1; shift >= 0; shift--) this.bytes.push(Number((value >> BigInt(8 * shift)) & 0xffn));
  }

  integer(value: number | bigint): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let index = 0; index < 8; index++) {
      if (rest < 0x80n) return void this.bytes.push(Number(rest));
      this.bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.bytes.push(Number(rest));
  }

  string(text: string | null): void {
    if (text === null) return void this.bytes.push(0);
    if (text === '') return void this.bytes.push(1);
    if (this.#wide) {
      this.bytes.push(4);
      this.integer(text.length);
      for (let at = 0; at < text.length; at++) this.integer(text.charCodeAt(at));
      return;
    }
    const utf8 = new TextEncoder().encode(text);
    this.bytes.push(3);
    this.integer(utf8.length);
    this.bytes.push(...utf8);
  }
}

/** Encodes one chunk. A file is a series of chunks. */
export function encodeJfr(chunk: EncodedJfr): Uint8Array {
  const { types, wideStrings = false } = chunk;
  const names = [...PRIMITIVES, ...Object.keys(types)];
  const annotations = ['jdk.jfr.Timespan', 'jdk.jfr.Timestamp', 'jdk.jfr.DataAmount'];
  const idOf = (name: string): number =>
    JFR_TYPES[name] === undefined ? OWN_IDS + [...names, ...annotations].indexOf(name) : jfrTypeId(name);
  const create = (): Bytes => new Bytes(wideStrings);

  const value = (to: Bytes, field: JfrFieldText, input: JfrInput | undefined): void => {
    if (field.array === true) {
      const items = (input ?? []) as readonly JfrInput[];
      to.integer(items.length);
      for (const item of items) value(to, { ...field, array: false }, item);
    } else if (field.constant === true) to.integer((input ?? 0) as number);
    else if (field.type === 'java.lang.String') {
      if (typeof input === 'number') {
        to.bytes.push(2);
        to.integer(input);
      } else to.string((input ?? null) as string | null);
    } else if (field.type === 'boolean') to.bytes.push(input === true ? 1 : 0);
    else if (field.type === 'byte') to.bytes.push(Number(input ?? 0) & 0xff);
    else if (field.type === 'float' || field.type === 'double') {
      to.fixed(0n, field.type === 'float' ? 4 : 8);
    } else if (PRIMITIVES.includes(field.type)) {
      to.integer((input ?? 0) as number);
    } else structure(to, field.type, input ?? {});
  };
  const structure = (to: Bytes, type: string, input: JfrInput): void => {
    if (PRIMITIVES.includes(type)) return value(to, { name: '', type }, input);
    const fields = (input ?? {}) as { readonly [name: string]: JfrInput };
    for (const field of types[type]!) value(to, field, fields[field.name]);
  };
  const event = (type: number, body: Bytes): number[] => {
    const kind = create();
    kind.integer(type);
    // The size includes its own bytes.
    for (let size = 1; ; size++) {
      const head = create();
      const whole = size + kind.bytes.length + body.bytes.length;
      head.integer(whole);
      if (head.bytes.length === size) return [...head.bytes, ...kind.bytes, ...body.bytes];
    }
  };

  const checkpoint = create();
  for (const zero of [0, 0, 0]) checkpoint.integer(zero);
  checkpoint.bytes.push(0);
  const pools = Object.entries(chunk.constants ?? {});
  checkpoint.integer(pools.length);
  for (const [type, entries] of pools) {
    checkpoint.integer(idOf(type));
    checkpoint.integer(entries.length);
    for (const [key, input] of entries) {
      checkpoint.integer(key);
      structure(checkpoint, type, input);
    }
  }

  const events = (chunk.events ?? []).flatMap(([type, input]) => {
    const body = create();
    structure(body, type, input);
    return event(idOf(type), body);
  });
  const metadata = encodeMetadata(create(), chunk, [...names, ...annotations], idOf);
  const constants = event(1, checkpoint);
  const body = [...events, ...constants, ...event(0, metadata)];
  const head = create();
  head.bytes.push(0x46, 0x4c, 0x52, 0);
  head.fixed(BigInt(chunk.version?.[0] ?? 2), 2);
  head.fixed(BigInt(chunk.version?.[1] ?? 1), 2);
  head.fixed(chunk.size ?? BigInt(HEADER + body.length), 8);
  head.fixed(BigInt(HEADER + events.length), 8);
  head.fixed(BigInt(HEADER + events.length + constants.length), 8);
  head.fixed(chunk.startNs ?? 0n, 8);
  head.fixed(chunk.durationNs ?? 1_000_000_000n, 8);
  head.fixed(chunk.startTicks ?? 0n, 8);
  head.fixed(chunk.ticksPerSecond ?? 1_000_000_000n, 8);
  head.fixed(chunk.features ?? 1n, 4);
  return Uint8Array.from([...head.bytes, ...body]);
}

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

function encodeMetadata(
  to: Bytes,
  { types, metadataId = 1 }: EncodedJfr,
  names: readonly string[],
  idOf: (name: string) => number,
): Bytes {
  const strings: string[] = [];
  const index = (text: string): number => {
    const known = strings.indexOf(text);
    return known < 0 ? strings.push(text) - 1 : known;
  };
  const field = ({ name, type, constant, array, annotation }: JfrFieldText): Node => ({
    name: 'field',
    attributes: {
      name,
      class: String(idOf(type)),
      ...(constant === true ? { constantPool: 'true' } : {}),
      ...(array === true ? { dimension: '1' } : {}),
    },
    children:
      annotation === undefined
        ? []
        : [
            {
              name: 'annotation',
              attributes: { class: String(idOf(annotation[0])), value: annotation[1] },
              children: [],
            },
          ],
  });
  const classes = names.map((name) => ({
    name: 'class',
    attributes: {
      name,
      id: String(idOf(name)),
      ...(name.startsWith('jdk.types.') && types[name]?.length === 1 ? { simpleType: 'true' } : {}),
      ...(EVENT.test(name) ? { superType: 'jdk.jfr.Event' } : {}),
      ...(name.startsWith('jdk.jfr.') ? { superType: 'java.lang.annotation.Annotation' } : {}),
    },
    children: (types[name] ?? (name.startsWith('jdk.jfr.') ? [plain('value', 'java.lang.String')] : [])).map(field),
  }));
  const numbers: number[] = [];
  const write = ({ name, attributes, children }: Node): void => {
    numbers.push(index(name), Object.keys(attributes).length);
    for (const [key, text] of Object.entries(attributes)) numbers.push(index(key), index(text));
    numbers.push(children.length);
    children.forEach(write);
  };
  write({
    name: 'root',
    attributes: {},
    children: [
      { name: 'metadata', attributes: {}, children: classes },
      { name: 'region', attributes: { locale: 'en_US', gmtOffset: '0' }, children: [] },
    ],
  });
  for (const number of [0, 0, metadataId]) to.integer(number);
  to.integer(strings.length);
  for (const text of strings) to.string(text);
  for (const number of numbers) to.integer(number);
  return to;
}

const constant = (name: string, type: string): JfrFieldText => ({ name, type, constant: true });
const plain = (name: string, type: string): JfrFieldText => ({ name, type });
const start: JfrFieldText = { name: 'startTime', type: 'long', annotation: ['jdk.jfr.Timestamp', 'TICKS'] };
const duration: JfrFieldText = { name: 'duration', type: 'long', annotation: ['jdk.jfr.Timespan', 'TICKS'] };
const stack = constant('stackTrace', 'jdk.types.StackTrace');
const thread = constant('eventThread', 'java.lang.Thread');

/** Types as the JDK and async-profiler describe them, with the fields that tests need. */
export const JFR_TYPES: JfrTypes = {
  'jdk.types.Symbol': [plain('string', 'java.lang.String')],
  'jdk.types.Module': [constant('name', 'jdk.types.Symbol')],
  'jdk.types.Package': [constant('name', 'jdk.types.Symbol'), constant('module', 'jdk.types.Module')],
  'java.lang.Class': [constant('name', 'jdk.types.Symbol'), constant('package', 'jdk.types.Package')],
  'java.lang.Thread': [
    plain('osName', 'java.lang.String'),
    plain('osThreadId', 'long'),
    plain('javaName', 'java.lang.String'),
    plain('javaThreadId', 'long'),
  ],
  'jdk.types.Method': [
    constant('type', 'java.lang.Class'),
    constant('name', 'jdk.types.Symbol'),
    constant('descriptor', 'jdk.types.Symbol'),
  ],
  'jdk.types.FrameType': [plain('description', 'java.lang.String')],
  'jdk.types.StackFrame': [
    constant('method', 'jdk.types.Method'),
    plain('lineNumber', 'int'),
    plain('bytecodeIndex', 'int'),
    constant('type', 'jdk.types.FrameType'),
  ],
  'jdk.types.StackTrace': [
    plain('truncated', 'boolean'),
    { name: 'frames', type: 'jdk.types.StackFrame', array: true },
  ],
  'jdk.types.ThreadState': [plain('name', 'java.lang.String')],
  'jdk.ExecutionSample': [
    start,
    constant('sampledThread', 'java.lang.Thread'),
    stack,
    constant('state', 'jdk.types.ThreadState'),
  ],
  'profiler.WallClockSample': [
    start,
    constant('sampledThread', 'java.lang.Thread'),
    stack,
    constant('state', 'jdk.types.ThreadState'),
    plain('samples', 'int'),
  ],
  'jdk.ObjectAllocationSample': [
    start,
    thread,
    stack,
    constant('objectClass', 'java.lang.Class'),
    { name: 'weight', type: 'long', annotation: ['jdk.jfr.DataAmount', 'BYTES'] },
  ],
  'jdk.SocketRead': [
    start,
    duration,
    thread,
    stack,
    plain('host', 'java.lang.String'),
    { name: 'bytesRead', type: 'long', annotation: ['jdk.jfr.DataAmount', 'BYTES'] },
  ],
  'jdk.JavaMonitorEnter': [start, duration, thread, stack, constant('monitorClass', 'java.lang.Class')],
  'jdk.ActiveRecording': [start, plain('name', 'java.lang.String')],
  'jdk.ActiveSetting': [
    start,
    plain('id', 'long'),
    plain('name', 'java.lang.String'),
    plain('value', 'java.lang.String'),
  ],
  'jdk.JVMInformation': [
    start,
    plain('jvmName', 'java.lang.String'),
    plain('jvmVersion', 'java.lang.String'),
    plain('pid', 'long'),
  ],
  'jdk.OSInformation': [start, plain('osVersion', 'java.lang.String')],
  'jdk.CPUInformation': [start, plain('cpu', 'java.lang.String'), plain('hwThreads', 'int')],
  'jdk.DataLoss': [start, plain('amount', 'long'), plain('total', 'long')],
};

/** Returns the id of a type of {@link JFR_TYPES}, which is the same in all chunks. 0 and 1 are taken. */
export const jfrTypeId = (name: string): number => 10 + Object.keys(JFR_TYPES).indexOf(name);
