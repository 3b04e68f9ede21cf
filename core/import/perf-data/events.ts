import type { EventIndex } from '../../model/brand.ts';
import type { Profile, ProfileMetadata } from '../../model/profile.ts';
import { SampleField, type PerfDataAttr } from './attr.ts';
import type { PerfBytes } from './bytes.ts';
import type { EventDescription } from './features.ts';
import { RecordType } from './record-types.ts';
import { RECORD_HEADER_BYTES, sampleIdOffset, trailerIdOffset } from './sample.ts';
import { unitOfEvent } from '../perf-script/events.ts';

/** One event of the file, and the positions of fields in its records. */
export interface PerfDataEvent {
  readonly attr: PerfDataAttr;
  readonly index: number;
  name: string | null;
  /** Row in the profile; null before its first sample. */
  row: EventIndex | null;
  /** Offset of a sample's time; −1 if it has none. */
  readonly sampleTimeAt: number;
  /** Offset of other records' time, counted back from their end; −1 if they have none. */
  readonly trailerTimeAt: number;
  hasPeriod: boolean;
}

/** Event of samples whose id is unknown. */
const UNKNOWN_EVENT = '(unknown event)';
/** A profile accepts 255; the last one represents all later ones (`-e 'syscalls:*'` has some 700). */
export const MAX_EVENTS = 254;
const OTHER_EVENTS = '(other events)';

/** The events of a file, found by the ids in its records. */
export class PerfDataEvents {
  readonly list: PerfDataEvent[] = [];
  readonly #byId = new Map<bigint, PerfDataEvent>();
  /** The id found last, in halves. */
  #lastHigh = -1;
  #lastLow = -1;
  #last: PerfDataEvent | null = null;
  /** Offsets of ids, which are the same in all events of a file. */
  #sampleIdAt = -1;
  #trailerIdAt = -1;
  #unknown: PerfDataEvent | null = null;

  add(attr: PerfDataAttr, ids: readonly bigint[]): void {
    const event = {
      attr,
      index: this.list.length,
      name: null,
      row: null,
      sampleTimeAt: sampleTimeOffset(attr),
      trailerTimeAt: trailerTimeOffset(attr),
      hasPeriod: false,
    };
    if (event.index === 0) {
      this.#sampleIdAt = sampleIdOffset(attr);
      this.#trailerIdAt = trailerIdOffset(attr);
    }
    this.list.push(event);
    for (const id of ids) this.#byId.set(id, event);
    this.#last = null;
  }

  byId(id: bigint): PerfDataEvent | null {
    return this.#byId.get(id) ?? null;
  }

  /** Returns the event of a record; null if the file has not described any event yet. */
  of(record: PerfBytes, type: number): PerfDataEvent | null {
    const first = this.list[0];
    if (first === undefined) return null;
    const isSample = type === RecordType.sample;
    if (this.list.length === 1 && this.#unknown === null) return first;
    const at = isSample ? this.#sampleIdAt : this.#trailerIdAt < 0 ? -1 : record.length - this.#trailerIdAt;
    if (at < RECORD_HEADER_BYTES || this.#byId.size === 0) return first;
    const high = record.high(at);
    const low = record.low(at);
    // Records synthesised by perf have the id 0.
    if (high === 0 && low === 0) return first;
    if (this.#last === null || high !== this.#lastHigh || low !== this.#lastLow) {
      this.#last = this.#byId.get(record.big(at)) ?? null;
      this.#lastHigh = high;
      this.#lastLow = low;
    }
    return this.#last ?? (isSample ? this.#unknownLike(first) : first);
  }

  isUnknown(event: PerfDataEvent): boolean {
    return event === this.#unknown;
  }

  /** Returns names from the file, otherwise those that perf makes up. */
  finishNames(described: readonly EventDescription[]): string[] {
    let index = 0;
    return this.list.map((event, row) => {
      if (row >= MAX_EVENTS) return OTHER_EVENTS;
      if (event === this.#unknown) return UNKNOWN_EVENT;
      const stated = described[index++]?.name ?? '';
      return event.name ?? (stated === '' ? event.attr.defaultName : stated);
    });
  }

  /** Reads such samples like those of the first event, because all events of a file have the same fields. */
  #unknownLike(first: PerfDataEvent): PerfDataEvent {
    if (this.#unknown === null) {
      this.add(first.attr, []);
      this.#unknown = this.list.at(-1)!;
    }
    return this.#unknown;
  }
}

function sampleTimeOffset({ sampleType: type }: PerfDataAttr): number {
  if ((type & SampleField.time) === 0) return -1;
  const before = [SampleField.identifier, SampleField.ip, SampleField.tid];
  return RECORD_HEADER_BYTES + 8 * before.filter((bit) => (type & bit) !== 0).length;
}

function trailerTimeOffset({ sampleType: type, sampleIdAll }: PerfDataAttr): number {
  if (!sampleIdAll || (type & SampleField.time) === 0) return -1;
  const behind = [SampleField.identifier, SampleField.cpu, SampleField.streamId, SampleField.id];
  return 8 + 8 * behind.filter((bit) => (type & bit) !== 0).length;
}

/** Returns the requested rate or period of the first event. */
export function requestedSampling({ list }: PerfDataEvents, names: readonly string[]): Partial<ProfileMetadata> {
  const attr = list[0]?.attr;
  const type = names[0];
  if (attr === undefined || type === undefined || attr.periodOrRate === 0) return {};
  if (attr.isRate) return { rateHz: attr.periodOrRate };
  return { period: { type, unit: unitOfEvent(type), value: attr.periodOrRate } };
}

/**
 * Returns the profile with its events, so far identified by numbers, renamed to `names` and in the order of the file,
 * which is that of perf's `-e`; events without samples follow. Events with the same name are merged, and so is
 * `hasPeriod`.
 */
export function renameEvents(
  profile: Profile,
  names: readonly string[],
  list: readonly PerfDataEvent[],
): { profile: Profile; events: { name: string; hasPeriod: boolean }[] } {
  const { samples } = profile;
  const events: { name: string; hasPeriod: boolean }[] = [];
  const rowOf: number[] = [];
  const numbered = profile.events.map((text, seen) => ({ number: Number(text), seen }));
  for (const { number, seen } of numbered.sort((a, b) => a.number - b.number)) {
    const name = names[number]!;
    const known = events.findIndex((event) => event.name === name);
    const row = known >= 0 ? known : events.push({ name, hasPeriod: false }) - 1;
    const meant = number === MAX_EVENTS ? list.slice(MAX_EVENTS) : [list[number]!];
    events[row]!.hasPeriod ||= meant.some(({ hasPeriod }) => hasPeriod);
    rowOf[seen] = row;
  }
  for (const { attr, index } of list.slice(0, MAX_EVENTS)) {
    const name = names[index]!;
    if (attr.isSampled && events.every((event) => event.name !== name)) events.push({ name, hasPeriod: false });
  }
  const event = samples.event === null ? null : samples.event.map((row) => rowOf[row]!);
  return { profile: { ...profile, events: events.map(({ name }) => name), samples: { ...samples, event } }, events };
}
