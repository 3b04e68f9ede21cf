import type { FrameIndex, StackIndex, ThreadIndex } from '../../model/brand.ts';
import { malformed, tooLarge, unsupported } from '../../model/failure.ts';
import { memo } from '../../model/memo.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Label, type Profile, type ValueType } from '../../model/profile.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { arrayOrNone, isObject, lineOf, objectAt, textOr, type JsonObject } from '../text/json-value.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

type Table = readonly unknown[];
/** An attribute's name, value and unit. */
interface Attribute {
  readonly key: string;
  readonly value: string | bigint | number;
  readonly unit: string;
}

/** Who ran, and the labels of a sample. */
interface About {
  readonly thread: ThreadIndex;
  readonly labels: Label[];
}

interface Tables {
  readonly strings: Table;
  readonly functions: Table;
  readonly mappings: Table;
  readonly locations: Table;
  readonly stacks: Table;
  readonly attributes: Table;
}

/** Kinds by the attribute `profile.frame.type` of a location (OpenTelemetry's semantic conventions). */
const KINDS = new Map<string, FunctionKind>([
  ['kernel', FunctionKind.kernel],
  ['native', FunctionKind.user],
  ['go', FunctionKind.user],
  ['rust', FunctionKind.user],
  ['cpython', FunctionKind.interpreted],
  ['ruby', FunctionKind.interpreted],
  ['perl', FunctionKind.interpreted],
  ['php', FunctionKind.interpreted],
  ['jvm', FunctionKind.jit],
  ['v8js', FunctionKind.jit],
  ['dotnet', FunctionKind.jit],
]);
/** Value types of one file; a weight column each. */
const MAX_VALUE_TYPES = 64;

/** Builds the profile of OTLP's JSON form. Throws `ImportFailure`. */
export function buildOtlp(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const tables = tablesOf(file);
  const profiles = listProfiles(file, tables);
  if (profiles.length === 0) throw malformed('there is no profile');
  if (tables.strings.length === 0) {
    throw unsupported('an OTLP profile without a dictionary, of the protocol before version 1.8');
  }
  return new Builder(tables, profiles).finish();
}

export function tablesOf(file: JsonObject): Tables {
  const dictionary = objectAt(file['dictionary'] ?? {}, 'dictionary');
  const table = (name: string): Table => arrayOrNone(dictionary[name], `dictionary.${name}`);
  return {
    strings: table('stringTable'),
    functions: table('functionTable'),
    mappings: table('mappingTable'),
    locations: table('locationTable'),
    stacks: table('stackTable'),
    attributes: table('attributeTable'),
  };
}

interface OtlpProfile {
  readonly profile: JsonObject;
  /** Attributes of its resource. */
  readonly attributes: readonly Attribute[];
  readonly type: { readonly type: string; readonly unit: string };
}

function listProfiles(file: JsonObject, tables: Tables): OtlpProfile[] {
  const profiles: OtlpProfile[] = [];
  for (const resource of arrayOrNone(file['resourceProfiles'], 'resourceProfiles')) {
    const owner = objectAt(resource, 'a resource');
    const attributes = attributesOf(owner, tables);
    for (const scope of arrayOrNone(owner['scopeProfiles'], 'scopeProfiles')) {
      for (const one of arrayOrNone(objectAt(scope, 'a scope')['profiles'], 'profiles')) {
        const profile = objectAt(one, 'a profile');
        profiles.push({ profile, attributes, type: valueTypeOf(profile['sampleType'], tables) });
      }
    }
  }
  return profiles;
}

/** Returns the attributes of a `ResourceProfiles`. */
export function attributesOf(owner: JsonObject, tables: Tables): Attribute[] {
  const all = arrayOrNone(objectAt(owner['resource'] ?? {}, 'resource')['attributes'], 'attributes');
  return all.map((attribute) => attributeOf(objectAt(attribute, 'an attribute'), tables));
}

function valueTypeOf(value: unknown, { strings }: Tables): { readonly type: string; readonly unit: string } {
  const type = objectAt(value ?? {}, 'sampleType');
  return {
    type: textAt(strings, type['typeStrindex'], 'the type of samples') || 'samples',
    unit: textAt(strings, type['unitStrindex'], 'the unit of samples') || 'count',
  };
}

class Builder {
  readonly #tables: Tables;
  readonly #profiles: readonly OtlpProfile[];
  readonly #types: ValueType[] = [];
  readonly #builder: ProfileBuilder;
  readonly #stack = memo((row: number) => this.#makeStack(row));
  /** Returns the frames of a location, the innermost inlined one first. */
  readonly #location = memo((row: number) => this.#makeLocation(row));
  readonly #origin: bigint | null;
  /** Of all resources; otherwise hosts are labels. */
  readonly #host: string | null;

  constructor(tables: Tables, profiles: readonly OtlpProfile[]) {
    this.#tables = tables;
    this.#profiles = profiles;
    for (const { type } of profiles) {
      if (!this.#types.some((known) => known.type === type.type && known.unit === type.unit))
        this.#types.push({ ...type, event: -1, column: this.#types.length });
    }
    if (this.#types.length > MAX_VALUE_TYPES) {
      throw tooLarge(`more than ${MAX_VALUE_TYPES} types of samples`);
    }
    this.#builder = new ProfileBuilder(this.#types.length);
    const times = profiles
      .map(({ profile }) => intOf(profile['timeUnixNano'], 'timeUnixNano'))
      .filter((time) => time > 0n);
    this.#host = this.#common(({ attributes }) => textOf(attributes, 'host.name')) || null;
    this.#origin = times.length === 0 ? null : times.reduce((first, time) => (time < first ? time : first));
  }

  finish(): Profile {
    for (const profile of this.#profiles) this.#addProfile(profile);
    const start = this.#common(({ profile }) => intOf(profile['timeUnixNano'], 'timeUnixNano'));
    const duration = this.#common(({ profile }) => intOf(profile['durationNano'], 'durationNano'));
    const period = this.#common(({ profile }) => intOf(profile['period'], 'period'));
    const type = this.#common(({ profile }) =>
      profile['periodType'] === undefined ? null : JSON.stringify(valueTypeOf(profile['periodType'], this.#tables)),
    );
    const profile = this.#builder.finish(this.#types, {
      format: 'otlp',
      tool: 'OpenTelemetry',
      startTime: this.#origin,
      timeOrigin: this.#origin,
      // Of one value type each, profiles of one recording state the same.
      durationNs: start !== null && duration !== null && duration > 0n ? Number(duration) : null,
      period:
        period !== null && period > 0n && type !== null
          ? { ...valueTypeOf(this.#profiles[0]!.profile['periodType'], this.#tables), value: Number(period) }
          : null,
      hostName: this.#host,
    });
    return diagnoseUnresolved(profile, 'Let the collector or the agent resolve symbols before it exports.');
  }

  /** Returns what all profiles state; null if they differ. */
  #common<T>(of: (profile: OtlpProfile) => T): T | null {
    const first = of(this.#profiles[0]!);
    return this.#profiles.every((one) => of(one) === first) ? first : null;
  }

  #addProfile({ profile, attributes, type }: OtlpProfile): void {
    const column = this.#types.findIndex((known) => known.type === type.type && known.unit === type.unit);
    let shared: About | null = null;
    const weights = this.#types.map(() => 0);
    arrayOrNone(profile['samples'], 'samples').forEach((one, row) => {
      const where = (): string => `samples[${row}]`;
      const sample = isObject(one) ? one : objectAt(one, where());
      const values = manyOf(sample, 'values', where);
      const times = manyOf(sample, 'timestampsUnixNano', where);
      if (values.length === 0 && times.length === 0) {
        throw malformed(`${where()} has neither values nor times; the protocol before version 1.10 is not read`);
      }
      if (values.length > 0 && times.length > 0 && times.length !== values.length) {
        throw malformed(`${where()} has ${values.length} values and ${times.length} times`);
      }
      const own = manyOf(sample, 'attributeIndices', where);
      const { thread, labels } =
        own.length === 0
          ? (shared ??= this.#about(attributes))
          : this.#about([...attributes, ...own.map((index) => this.#attribute(index, where()))]);
      const stack = this.#stack(rowOf(sample['stackIndex'], this.#tables.stacks, () => `the stack of ${where()}`));
      const labelSet = labels.length > 0 ? this.#builder.labelSet(labels) : undefined;
      const count = Math.max(values.length, times.length);
      for (let index = 0; index < count; index++) {
        weights[column] = values.length === 0 ? 1 : this.#weight(numberOf(values[index], where));
        const at =
          times.length === 0 || this.#origin === null ? 0n : intOf(times[index], `${where()}.timestampsUnixNano`);
        this.#builder.sample(
          { stack, thread, labelSet, time: at > 0n ? Number(at - this.#origin!) : undefined },
          ...weights,
        );
      }
    });
  }

  #weight(weight: number): number {
    if (!Number.isSafeInteger(weight)) this.#builder.diagnostics.add(...INEXACT_WEIGHT);
    return weight;
  }

  #attribute(index: unknown, where: string): Attribute {
    const row = rowOf(index, this.#tables.attributes, `an attribute of ${where}`);
    return attributeOf(objectAt(this.#tables.attributes[row] ?? {}, `attributeTable[${row}]`), this.#tables);
  }

  /** Attributes that say who ran become the thread; the others become labels. */
  #about(attributes: readonly Attribute[]): About {
    const known = new Map(attributes.map(({ key, value }) => [key, value]));
    const id = (key: string): number => {
      const value = known.get(key);
      return typeof value === 'bigint' ? Number(value) : -1;
    };
    const name = ['thread.name', 'process.executable.name', 'service.name'].map((key) => known.get(key));
    const thread = this.#builder.thread(
      id('process.pid'),
      id('thread.id'),
      String(name.find((text) => text !== undefined) ?? ''),
    );
    const labels = attributes
      .filter(({ key }) => key !== 'host.name' || this.#host === null)
      .filter(({ key }) => !/^(?:thread\.(?:id|name)|process\.(?:pid|executable\.name)|)$/.test(key))
      .map(({ key, value, unit }): Label =>
        typeof value === 'string' ? { key, text: value } : { key, number: Number(value), unit },
      );
    return { thread, labels };
  }

  #makeStack(row: number): StackIndex {
    const indices = arrayOrNone(
      objectAt(this.#tables.stacks[row] ?? {}, `stackTable[${row}]`)['locationIndices'],
      'locationIndices',
    );
    const where = (): string => `a location of stackTable[${row}]`;
    return this.#builder.stackOf(
      indices.flatMap((index) => this.#location(rowOf(index, this.#tables.locations, where))),
    );
  }

  #makeLocation(row: number): readonly FrameIndex[] {
    const where = `locationTable[${row}]`;
    const location = objectAt(this.#tables.locations[row] ?? {}, where);
    const mapping =
      this.#tables.mappings[rowOf(location['mappingIndex'], this.#tables.mappings, `the mapping of ${where}`)];
    const module = isObject(mapping)
      ? textAt(this.#tables.strings, mapping['filenameStrindex'], `the file of ${where}`)
      : '';
    const types = arrayOrNone(location['attributeIndices'], where).map((index) => this.#attribute(index, where));
    const kind =
      KINDS.get(String(types.find(({ key }) => key === 'profile.frame.type')?.value)) ?? FunctionKind.unknown;
    const address = BigInt.asUintN(64, intOf(location['address'], `the address of ${where}`)) || null;
    const lines = arrayOrNone(location['lines'], `${where}.lines`);
    const frames = lines.map((one, index) => {
      const line = objectAt(one, `${where}.lines[${index}]`);
      const func = this.#function(line['functionIndex'], module, kind, where);
      return this.#builder.frame({
        func,
        address,
        line: lineOf(Number(intOf(line['line'], where))),
        inline: index < lines.length - 1,
      });
    });
    if (frames.length > 0) return frames;
    return [this.#builder.frame({ func: this.#builder.function(unresolvedFunction(module)), address })];
  }

  #function(index: unknown, module: string, kind: FunctionKind, where: string): ReturnType<ProfileBuilder['function']> {
    const { strings, functions } = this.#tables;
    const func = objectAt(functions[rowOf(index, functions, `a function of ${where}`)] ?? {}, 'a function');
    const name = textAt(strings, func['nameStrindex'], where) || textAt(strings, func['systemNameStrindex'], where);
    return this.#builder.function({
      name: name || '[unknown]',
      module,
      file: textAt(strings, func['filenameStrindex'], where),
      line: lineOf(Number(intOf(func['startLine'], where))),
      kind,
    });
  }
}

function attributeOf(attribute: JsonObject, { strings }: Tables): Attribute {
  const given = textOr(attribute['key'], '');
  const key = given === '' ? textAt(strings, attribute['keyStrindex'], 'the key of an attribute') : given;
  const value = objectAt(attribute['value'] ?? {}, 'the value of an attribute');
  const unit = textAt(strings, attribute['unitStrindex'], 'the unit of an attribute');
  const { stringValue, intValue, doubleValue, boolValue, stringValueStrindex } = value;
  if (typeof stringValue === 'string') return { key, value: stringValue, unit };
  if (intValue !== undefined) return { key, value: intOf(intValue, 'an attribute'), unit };
  if (typeof doubleValue === 'number' && Number.isFinite(doubleValue)) return { key, value: doubleValue, unit };
  if (stringValueStrindex !== undefined)
    return { key, value: textAt(strings, stringValueStrindex, 'an attribute'), unit };
  return { key, value: boolValue === undefined ? '' : String(boolValue === true || boolValue === 1), unit };
}

/** Returns the text of an attribute; empty if there is none. */
export function textOf(attributes: readonly Attribute[], key: string): string {
  const value = attributes.find((attribute) => attribute.key === key)?.value;
  return typeof value === 'string' ? value : '';
}

/** Returns an integer; JSON has 64-bit ones as text. An absent one is 0. Throws `ImportFailure`. */
function intOf(value: unknown, where: string): bigint {
  if (value === undefined || value === null) return 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  throw malformed(`${where} is not an integer`);
}

/** Like {@link intOf}, rounded to the nearest double. */
const numberOf = (value: unknown, where: () => string): number =>
  Number.isInteger(value) ? (value as number) : Number(intOf(value, `${where()}.values`));

/** Returns a repeated field of a sample. */
function manyOf(sample: JsonObject, name: string, where: () => string): Table {
  const value = sample[name];
  return Array.isArray(value) ? value : arrayOrNone(value, `${where()}.${name}`);
}

/** Row 0 of every table is empty, and means none. The text of `place` is made only for a message. */
function rowOf(value: unknown, table: Table, place: string | (() => string)): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < table.length) return value;
  const where = typeof place === 'string' ? place : place();
  const row = intOf(value, where);
  if (row === 0n || (row > 0n && row < BigInt(table.length))) return Number(row);
  throw malformed(`${where} is ${row}, of ${table.length} rows`);
}

function textAt(strings: Table, index: unknown, where: string | (() => string)): string {
  return textOr(strings[rowOf(index, strings, where)], '');
}
