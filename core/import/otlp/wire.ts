import { BYTES, VARINT, WireReader } from '../../wire/protobuf-reader.ts';
import { decodeText } from '../../model/decode-text.ts';
import type { JsonObject } from '../text/json-value.ts';

/** How a field is read: a nested message, or one of these. */
type Kind = Message | 'text' | 'int' | 'double' | 'hex';

interface Message {
  /** By number: the name in JSON, how it is read, and whether it repeats. Other fields are skipped. */
  readonly fields: ReadonlyMap<number, readonly [name: string, kind: Kind, repeated?: 'many']>;
}

const message = (fields: Readonly<Record<number, readonly [string, Kind, 'many'?]>>): Message => ({
  fields: new Map(Object.entries(fields).map(([number, field]) => [Number(number), field])),
});

// profiles.proto, common.proto and resource.proto of opentelemetry-proto 1.10.
const VALUE = message({
  1: ['stringValue', 'text'],
  2: ['boolValue', 'int'],
  3: ['intValue', 'int'],
  4: ['doubleValue', 'double'],
  8: ['stringValueStrindex', 'int'],
});
const ATTRIBUTE = message({ 1: ['key', 'text'], 2: ['value', VALUE], 3: ['keyStrindex', 'int'] });
const VALUE_TYPE = message({ 1: ['typeStrindex', 'int'], 2: ['unitStrindex', 'int'] });
const SAMPLE = message({
  1: ['stackIndex', 'int'],
  2: ['attributeIndices', 'int', 'many'],
  4: ['values', 'int', 'many'],
  5: ['timestampsUnixNano', 'int', 'many'],
});
const PROFILE = message({
  1: ['sampleType', VALUE_TYPE],
  2: ['samples', SAMPLE, 'many'],
  3: ['timeUnixNano', 'int'],
  4: ['durationNano', 'int'],
  5: ['periodType', VALUE_TYPE],
  6: ['period', 'int'],
  7: ['profileId', 'hex'],
});
const SCOPE_PROFILES = message({ 2: ['profiles', PROFILE, 'many'] });
const RESOURCE_PROFILES = message({
  1: ['resource', message({ 1: ['attributes', ATTRIBUTE, 'many'] })],
  2: ['scopeProfiles', SCOPE_PROFILES, 'many'],
});
const LOCATION = message({
  1: ['mappingIndex', 'int'],
  2: ['address', 'int'],
  3: ['lines', message({ 1: ['functionIndex', 'int'], 2: ['line', 'int'] }), 'many'],
  4: ['attributeIndices', 'int', 'many'],
});
const DICTIONARY = message({
  1: ['mappingTable', message({ 4: ['filenameStrindex', 'int'] }), 'many'],
  2: ['locationTable', LOCATION, 'many'],
  3: [
    'functionTable',
    message({
      1: ['nameStrindex', 'int'],
      2: ['systemNameStrindex', 'int'],
      3: ['filenameStrindex', 'int'],
      4: ['startLine', 'int'],
    }),
    'many',
  ],
  // Its rows are not read, but JSON that is written has the empty one.
  4: ['linkTable', message({}), 'many'],
  5: ['stringTable', 'text', 'many'],
  6: [
    'attributeTable',
    message({ 1: ['keyStrindex', 'int'], 2: ['value', VALUE], 3: ['unitStrindex', 'int'] }),
    'many',
  ],
  7: ['stackTable', message({ 1: ['locationIndices', 'int', 'many'] }), 'many'],
});
const PROFILES_DATA = message({ 1: ['resourceProfiles', RESOURCE_PROFILES, 'many'], 2: ['dictionary', DICTIONARY] });

/** Returns a message as the object that its JSON form has, with numbers beyond 32 bits as bigint. Throws `ImportFailure`. */
export const decodeOtlp = (bytes: Uint8Array): JsonObject => decode(bytes, 0, bytes.length, PROFILES_DATA);

/** Messages nest only as deep as the table above. */
function decode(bytes: Uint8Array, start: number, end: number, { fields }: Message): JsonObject {
  const reader = new WireReader(bytes, start, end, 'OTLP');
  const made: Record<string, unknown> = {};
  while (reader.next()) {
    const [name, kind, repeated] = fields.get(reader.field) ?? [];
    if (name === undefined || kind === undefined) continue;
    if (repeated === undefined) made[name] = valueOf(reader, kind);
    else {
      const all = (made[name] ??= []) as unknown[];
      if (kind === 'int' && reader.type === BYTES) addPacked(all, bytes, reader, name.startsWith('timestamps'));
      else all.push(valueOf(reader, kind));
    }
  }
  return made;
}

function valueOf(reader: WireReader, kind: Kind): unknown {
  const { bytes, start, stop, type } = reader;
  if (kind === 'int')
    return type === BYTES
      ? null
      : reader.high === 0
        ? reader.low
        : type === VARINT
          ? reader.signedExact
          : reader.unsigned;
  if (kind === 'double') {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(0, reader.high);
    view.setUint32(4, reader.low);
    return view.getFloat64(0);
  }
  if (type !== BYTES) return null;
  if (kind === 'hex')
    return Array.from(bytes.subarray(start, stop), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return kind === 'text' ? decodeText(bytes.subarray(start, stop)).text : decode(bytes, start, stop, kind);
}

function addPacked(all: unknown[], bytes: Uint8Array, { start, stop }: WireReader, isFixed: boolean): void {
  if (!isFixed) {
    const packed = new WireReader(bytes, start, stop, 'OTLP');
    while (packed.nextPacked()) all.push(packed.high === 0 ? packed.low : packed.signedExact);
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, stop - start);
  for (let at = 0; at + 8 <= view.byteLength; at += 8) all.push(view.getBigUint64(at, true));
}
