import { captureQuality } from './capture-quality.ts';
import { gradeShares, type CaptureQuality } from './quality-grade.ts';
import type { ValueTypeIndex } from './brand.ts';
import type { Diagnostic, Occurrence } from './diagnostics.ts';
import type { Label, Profile, ProfileMetadata, ValueType } from './profile.ts';

/** What of a profile is no column: the native file's JSON section. Integers beyond 2^53 are decimal strings. */
export interface NativeDocument {
  readonly valueTypes: readonly ValueType[];
  readonly events: readonly string[];
  readonly labelSets: readonly (readonly Label[])[];
  readonly metadata: ProfileMetadata;
  readonly diagnostics: readonly Diagnostic[];
  /** For who reads this section alone; null in files of older versions, and without samples. */
  readonly quality: CaptureQuality | null;
}

export function documentOf(profile: Profile): NativeDocument {
  const { valueTypes, events, samples, metadata, diagnostics } = profile;
  const quality = captureQuality(profile);
  return { valueTypes, events, labelSets: samples.labelSets, metadata, diagnostics, quality };
}

export function documentToJson(document: NativeDocument): string {
  return JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

/** Reads what {@link documentToJson} wrote, believing nothing. Throws a TypeError that names the first field of a wrong type. */
export function documentFromJson(text: string): NativeDocument {
  const root = object(JSON.parse(text), 'document');
  return {
    valueTypes: list(root.get('valueTypes'), 'valueTypes', (value, path) => {
      const fields = object(value, path);
      return {
        type: string(fields.get('type'), `${path}.type`),
        unit: string(fields.get('unit'), `${path}.unit`),
        event: integer(fields.get('event'), `${path}.event`),
        column: integer(fields.get('column'), `${path}.column`),
      };
    }),
    events: list(root.get('events'), 'events', string),
    labelSets: list(root.get('labelSets'), 'labelSets', (set, path) => list(set, path, label)),
    metadata: metadata(object(root.get('metadata'), 'metadata')),
    diagnostics: list(root.get('diagnostics'), 'diagnostics', diagnostic),
    quality: orNull(root.get('quality') ?? null, 'quality', quality),
  };
}

function label(value: unknown, path: string): Label {
  const fields = object(value, path);
  const key = string(fields.get('key'), `${path}.key`);
  if (fields.has('text')) return { key, text: string(fields.get('text'), `${path}.text`) };
  return {
    key,
    number: number(fields.get('number'), `${path}.number`),
    unit: string(fields.get('unit'), `${path}.unit`),
  };
}

function metadata(fields: Fields): ProfileMetadata {
  const text = (key: string): string | null => orNull(fields.get(key), `metadata.${key}`, string);
  const amount = (key: string): number | null => orNull(fields.get(key), `metadata.${key}`, number);
  const exact = (key: string): bigint | null => orNull(fields.get(key), `metadata.${key}`, bigint);
  return {
    format: string(fields.get('format'), 'metadata.format'),
    fileName: text('fileName'),
    defaultValueType: integer(fields.get('defaultValueType'), 'metadata.defaultValueType') as ValueTypeIndex,
    timeOrigin: exact('timeOrigin'),
    startTime: exact('startTime'),
    durationNs: amount('durationNs'),
    rateHz: amount('rateHz'),
    period: orNull(fields.get('period'), 'metadata.period', (value, path) => {
      const period = object(value, path);
      return {
        type: string(period.get('type'), `${path}.type`),
        unit: string(period.get('unit'), `${path}.unit`),
        value: number(period.get('value'), `${path}.value`),
      };
    }),
    tool: text('tool'),
    toolVersion: text('toolVersion'),
    command: text('command'),
    ...(fields.has('executable') ? { executable: string(fields.get('executable'), 'metadata.executable') } : {}),
    hostName: text('hostName'),
    kernel: text('kernel'),
    arch: text('arch'),
    cpuCount: amount('cpuCount'),
    comments: list(fields.get('comments'), 'metadata.comments', string),
  };
}

function quality(value: unknown, path: string): CaptureQuality {
  const fields = object(value, path);
  const share = (key: string): number => {
    const found = number(fields.get(key), `${path}.${key}`);
    if (!(found >= 0 && found <= 1)) throw wrong(`${path}.${key}`);
    return found;
  };
  return gradeShares({
    unresolved: share('unresolved'),
    unrooted: share('unrooted'),
    truncated: share('truncated'),
    lost: share('lost'),
  });
}

function diagnostic(value: unknown, path: string): Diagnostic {
  const fields = object(value, path);
  const severity = fields.get('severity');
  if (severity !== 'info' && severity !== 'warning') throw wrong(`${path}.severity`);
  return {
    code: string(fields.get('code'), `${path}.code`),
    severity,
    message: string(fields.get('message'), `${path}.message`),
    count: number(fields.get('count'), `${path}.count`),
    first: orNull(fields.get('first'), `${path}.first`, (first, firstPath) => {
      const location = object(first, firstPath);
      return {
        ...(location.has('line') ? { line: number(location.get('line'), `${firstPath}.line`) } : {}),
        ...(location.has('byte') ? { byte: number(location.get('byte'), `${firstPath}.byte`) } : {}),
      };
    }),
    remedy: orNull(fields.get('remedy'), `${path}.remedy`, string),
    ...(fields.has('moments') ? { moments: list(fields.get('moments'), `${path}.moments`, moment) } : {}),
  };
}

function moment(value: unknown, path: string): Occurrence {
  const fields = object(value, path);
  return {
    clock: String(bigint(fields.get('clock'), `${path}.clock`)),
    text: string(fields.get('text'), `${path}.text`),
  };
}

type Fields = ReadonlyMap<string, unknown>;

function object(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path);
  return new Map(Object.entries(value));
}

function list<T>(value: unknown, path: string, read: (element: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) throw wrong(path);
  return value.map((element, index) => read(element, `${path}[${index}]`));
}

function orNull<T>(value: unknown, path: string, read: (value: unknown, path: string) => T): T | null {
  return value === null ? null : read(value, path);
}

function string(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrong(path);
  return value;
}

function number(value: unknown, path: string): number {
  if (typeof value !== 'number') throw wrong(path);
  return value;
}

function integer(value: unknown, path: string): number {
  if (!Number.isSafeInteger(value)) throw wrong(path);
  return value as number;
}

function bigint(value: unknown, path: string): bigint {
  if (typeof value !== 'string' || !/^-?\d{1,40}$/.test(value)) throw wrong(path);
  return BigInt(value);
}

function wrong(path: string): TypeError {
  return new TypeError(`${path} is missing or has the wrong type`);
}
