/**
 * A profile.proto as plain data. Ids and values beyond 2^53 are bigints. Locations and lines are leaf first, as in the
 * file.
 */
export interface PprofData {
  readonly sampleTypes: readonly (readonly [type: string, unit: string])[];
  readonly samples: readonly PprofSample[];
  readonly mappings?: readonly {
    readonly id: Id;
    readonly file: string;
    readonly hasFunctions?: boolean;
    readonly buildId?: string;
    /** Default: 0x400000 to 0x800000, from the file's beginning. */
    readonly start?: Id;
    readonly limit?: Id;
    readonly offset?: Id;
  }[];
  readonly locations: readonly {
    readonly id: Id;
    readonly mapping?: Id;
    readonly address?: Id;
    readonly lines?: readonly (readonly [func: Id, line: number])[];
  }[];
  readonly functions: readonly {
    readonly id: Id;
    readonly name: string;
    readonly file?: string;
    readonly startLine?: number;
  }[];
  readonly dropFrames?: string;
  readonly keepFrames?: string;
  readonly timeNanos?: bigint;
  readonly durationNanos?: number;
  readonly periodType?: readonly [type: string, unit: string];
  readonly period?: number;
  readonly comments?: readonly string[];
  readonly defaultSampleType?: string;
  readonly docUrl?: string;
}

export type Id = number | bigint;

export interface PprofSample {
  readonly locations: readonly Id[];
  readonly values: readonly Id[];
  readonly labels?: readonly {
    readonly key: string;
    readonly text?: string;
    readonly number?: Id;
    readonly unit?: string;
  }[];
}

/**
 * Encodes `profile` with its fields in Go's order. With `packed`, repeated numbers are one byte string, otherwise one
 * field each.
 */
export function encodePprof(profile: PprofData, packed = true): Uint8Array {
  const strings = new Map<string, number>([['', 0]]);
  const text = (value = ''): number => {
    if (!strings.has(value)) strings.set(value, strings.size);
    return strings.get(value)!;
  };
  const typeAndUnit = ([type, unit]: readonly [string, string]): number[] => [
    ...number(1, text(type)),
    ...number(2, text(unit)),
  ];
  const numbers = (field: number, values: readonly Id[]): number[] =>
    packed
      ? bytes(field, values.flatMap(varint))
      : values.flatMap((value) => [...varint(field << 3), ...varint(value)]);

  const body = [
    ...profile.sampleTypes.flatMap((pair) => bytes(1, typeAndUnit(pair))),
    ...profile.samples.flatMap(({ locations, values, labels = [] }) =>
      bytes(2, [
        ...numbers(1, locations),
        ...numbers(2, values),
        ...labels.flatMap((label) =>
          bytes(3, [
            ...number(1, text(label.key)),
            ...number(2, text(label.text)),
            ...number(3, label.number ?? 0),
            ...number(4, text(label.unit)),
          ]),
        ),
      ]),
    ),
    ...(profile.mappings ?? []).flatMap(({ id, file, hasFunctions = false, buildId, start, limit, offset }) =>
      bytes(3, [
        ...number(1, id),
        ...number(2, start ?? 0x400000),
        ...number(3, limit ?? 0x800000),
        ...number(4, offset ?? 0),
        ...number(5, text(file)),
        ...number(6, text(buildId)),
        ...number(7, hasFunctions ? 1 : 0),
      ]),
    ),
    ...profile.locations.flatMap(({ id, mapping = 0, address = 0, lines = [] }) =>
      bytes(4, [
        ...number(1, id),
        ...number(2, mapping),
        ...number(3, address),
        ...lines.flatMap(([func, line]) => bytes(4, [...number(1, func), ...number(2, line)])),
      ]),
    ),
    ...profile.functions.flatMap(({ id, name, file, startLine = 0 }) =>
      bytes(5, [
        ...number(1, id),
        ...number(2, text(name)),
        ...number(3, text(name)),
        ...number(4, text(file)),
        ...number(5, startLine),
      ]),
    ),
  ];
  const scalars = [
    ...number(7, text(profile.dropFrames)),
    ...number(8, text(profile.keepFrames)),
    ...number(9, profile.timeNanos ?? 0),
    ...number(10, profile.durationNanos ?? 0),
    ...(profile.periodType === undefined ? [] : bytes(11, typeAndUnit(profile.periodType))),
    ...number(12, profile.period ?? 0),
    ...((profile.comments ?? []).length === 0 ? [] : numbers(13, profile.comments!.map(text))),
    ...number(14, text(profile.defaultSampleType)),
    ...number(15, text(profile.docUrl)),
  ];
  const table = [...strings.keys()].flatMap((value) => bytes(6, [...new TextEncoder().encode(value)]));
  return Uint8Array.from([...body, ...table, ...scalars]);
}

export function varint(value: Id): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const encoded: number[] = [];
  while (rest >= 128n) {
    encoded.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...encoded, Number(rest)];
}

/** Encodes a number field; writes nothing for 0, like proto3. */
export function number(field: number, value: Id): number[] {
  return value === 0 || value === 0n ? [] : [...varint(field << 3), ...varint(value)];
}

export function bytes(field: number, content: readonly number[]): number[] {
  return [...varint((field << 3) | 2), ...varint(content.length), ...content];
}
