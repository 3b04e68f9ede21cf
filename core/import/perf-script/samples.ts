import type { EventIndex, StackIndex, ThreadIndex, ValueTypeIndex } from '../../model/brand.ts';
import { appendProfile } from '../../model/append-profile.ts';
import { ByteTable } from '../../model/intern/byte-table.ts';
import type { Diagnostic } from '../../model/diagnostics.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile, ProfileMetadata } from '../../model/profile.ts';
import { packKeys, visitKeys } from './byte-keys.ts';
import { decodeText } from '../text/decode-text.ts';
import type { EventLine } from './event-line.ts';
import { SAMPLES, valueTypesOfEvents } from './events.ts';
import type { SamplesOfPart, TimesOfPart } from './part.ts';

/** The builder takes 255; the last stands for all that come later (`-e 'syscalls:*'` has some 700). */
const MAX_EVENTS = 254;
const OTHER_EVENTS = '(other events)';

interface EventFacts {
  readonly name: string;
  readonly index: EventIndex;
  /** Row of the keys under which it was first seen. */
  readonly key: number;
  hasPeriod: boolean;
  samplesWithoutPeriod: number;
}

/** Turns event lines into rows of the profile's samples, threads and events. */
export class SampleRows {
  readonly #builder: ProfileBuilder;
  readonly #threadKeys = new ByteTable();
  readonly #threads: ThreadIndex[] = [];
  /** By row of #threadKeys: the line of its first sight, where its name is not valid UTF-8. */
  readonly #latin1Lines = new Map<number, number>();
  readonly #eventKeys = new ByteTable();
  #lastEventKey = 0;
  /** By row of #eventKeys. */
  readonly #eventOf: EventFacts[] = [];
  readonly #events: EventFacts[] = [];
  /** The event's line of the sample at hand. */
  #thread = 0 as ThreadIndex;
  #event: EventFacts | null = null;
  #time = Number.NaN;
  #cpu = -1;
  #period = 1;
  #hasTimes = false;
  #originSeconds = 0;
  #originNanoseconds = 0;
  #firstTime = Infinity;
  #lastTime = -Infinity;

  constructor(builder: ProfileBuilder) {
    this.#builder = builder;
  }

  get length(): number {
    return this.#builder.sampleCount;
  }

  /** Takes in the line that begins a sample. `add` completes it. */
  begin(line: EventLine, view: DataView, bytes: Uint8Array, start: number, lineNumber: number): void {
    const key = this.#threadKeys.intern(view, start, line.threadEnd);
    this.#threads[key] ??= this.#newThread(line, bytes, key, lineNumber);
    this.#thread = this.#threads[key];
    this.#event = this.#eventFacts(line, view, bytes);
    if (line.hasPeriod) this.#event.hasPeriod = true;
    else this.#event.samplesWithoutPeriod += 1;
    if (line.hasPeriod && line.period > Number.MAX_SAFE_INTEGER) this.#warnInexact(lineNumber);
    this.#period = line.hasPeriod ? line.period : 1;
    this.#cpu = line.cpu;
    this.#time = line.hasTime ? this.#relativeTime(line) : Number.NaN;
  }

  /** The event of this line came before; so it is not a longer name's beginning. */
  knowsEvent(line: EventLine, view: DataView): boolean {
    return this.#eventKeys.length === 1 || this.#eventKeys.find(view, line.eventStart, line.eventEnd) >= 0;
  }

  add(stack: StackIndex): void {
    const time = Number.isNaN(this.#time) ? undefined : this.#time;
    const cpu = this.#cpu < 0 ? undefined : this.#cpu;
    this.#builder.sample({ stack, thread: this.#thread, event: this.#event!.index, time, cpu }, this.#period);
  }

  /** The rows so far as a part, without those of the sample at hand; null where its events are too many to be told apart later. */
  part(): { profile: Profile; samples: SamplesOfPart } | null {
    if (this.#events.length > MAX_EVENTS) return null;
    const threadRows = this.#threads.map((_, row) => row).filter((row) => this.#threads[row] !== undefined);
    const times: TimesOfPart = {
      originSeconds: this.#originSeconds,
      originNanoseconds: this.#originNanoseconds,
      first: this.#firstTime,
      last: this.#lastTime,
    };
    const samples: SamplesOfPart = {
      threadKeys: packKeys(this.#threadKeys, threadRows),
      latin1Lines: Int32Array.from(threadRows, (row) => this.#latin1Lines.get(row) ?? 0),
      eventKeys: packKeys(
        this.#eventKeys,
        this.#events.map(({ key }) => key),
      ),
      events: this.#events,
      times: this.#hasTimes ? times : null,
    };
    const weighed = { type: SAMPLES, unit: SAMPLES, event: -1, column: 0 };
    return { profile: this.#builder.finish([weighed], { format: 'perf-script' }), samples };
  }

  /** Whether a part's events and times can be joined without a difference. */
  agreesWith({ eventKeys, times }: SamplesOfPart): boolean {
    let events = this.#events.length;
    visitKeys(eventKeys, (_, view, start, end) => {
      if (this.#eventOf[this.#eventKeys.find(view, start, end)] === undefined) events += 1;
    });
    if (events > MAX_EVENTS) return false;
    if (times === null) return true;
    // Sums of integers up to 2^53 are exact.
    const shift = this.#shiftOf(times);
    const ends = [times.first, times.last];
    return [shift, ...ends, ...ends.map((end) => end + shift)].every(Number.isSafeInteger);
  }

  /** Adds a part's rows. `lines`: those before the part. */
  absorb(profile: Profile, part: SamplesOfPart, lines: number): void {
    this.#absorbDiagnostics(profile.diagnostics, part, lines);
    const timeShift = part.times === null ? 0 : this.#absorbTimes(part.times);
    appendProfile(this.#builder, profile, { events: this.#absorbEvents(part), timeShift });
  }

  finish(metadata: Partial<ProfileMetadata>): Profile {
    this.#diagnoseMissingPeriods();
    const valueTypes = valueTypesOfEvents(this.#events);
    const span = this.#lastTime - this.#firstTime;
    const profile = this.#builder.finish(valueTypes, {
      ...metadata,
      format: 'perf-script',
      defaultValueType: 0 as ValueTypeIndex,
      timeOrigin: this.#hasTimes ? this.#timeOrigin() : null,
      durationNs: span > 0 ? span : null,
    });
    // Samples of several CPUs or recordings may come out of order: the first in time is the origin.
    if (this.#firstTime < 0) shift(profile.samples.time!, -this.#firstTime);
    return profile;
  }

  #newThread(line: EventLine, bytes: Uint8Array, key: number, lineNumber: number): ThreadIndex {
    const { text, latin1 } = decodeText(bytes.subarray(line.commStart, line.commEnd));
    if (latin1) {
      this.#latin1Lines.set(key, lineNumber);
      this.#noteLatin1(lineNumber);
    }
    return this.#builder.thread(line.pid, line.tid, text);
  }

  #eventFacts(line: EventLine, view: DataView, bytes: Uint8Array): EventFacts {
    const { eventStart: start, eventEnd: end } = line;
    const isSame = this.#eventKeys.endIfAt(view, start, end, this.#lastEventKey) === end;
    const key = isSame ? this.#lastEventKey : this.#eventKeys.intern(view, start, end);
    this.#lastEventKey = key;
    return (this.#eventOf[key] ??= this.#newEvent(
      decodeText(bytes.subarray(line.eventStart, line.eventEnd)).text,
      key,
    ));
  }

  #newEvent(name: string, key: number): EventFacts {
    if (this.#events.length > MAX_EVENTS) return this.#events[MAX_EVENTS]!;
    const isOther = this.#events.length === MAX_EVENTS;
    if (isOther) {
      this.#builder.diagnostics.add('many-events', `Events after the first ${MAX_EVENTS} are counted as one.`);
    }
    const eventName = isOther ? OTHER_EVENTS : name;
    const facts = {
      name: eventName,
      index: this.#builder.event(eventName),
      key,
      hasPeriod: false,
      samplesWithoutPeriod: 0,
    };
    this.#events.push(facts);
    return facts;
  }

  #noteLatin1(line: number): void {
    this.#builder.diagnostics.add(NOT_UTF8.code, NOT_UTF8.message, { severity: 'info', first: { line } });
  }

  /** In the order of their lines; of a line's two, that of the thread's name comes first. */
  #absorbDiagnostics(diagnostics: readonly Diagnostic[], { threadKeys, latin1Lines }: SamplesOfPart, lines: number) {
    const notes: { line: number; add: () => void }[] = [];
    visitKeys(threadKeys, (index, view, start, end) => {
      const line = latin1Lines[index]! + lines;
      if (line === lines || this.#threadKeys.find(view, start, end) > 0) return;
      notes.push({ line, add: () => this.#noteLatin1(line) });
    });
    for (const { code, message, severity, count, first, remedy, moments = [] } of diagnostics) {
      if (code === NOT_UTF8.code) continue;
      const line = (first?.line ?? 0) + lines;
      const add = () => {
        this.#builder.diagnostics.add(code, message, { severity, count, first: { line }, remedy, moments });
      };
      notes.push({ line, add });
    }
    for (const { add } of notes.toSorted((a, b) => a.line - b.line)) add();
  }

  /** Returns by the part's event the one here. */
  #absorbEvents({ eventKeys, events }: SamplesOfPart): EventIndex[] {
    const indices: EventIndex[] = [];
    visitKeys(eventKeys, (at, view, start, end) => {
      const { name, index, hasPeriod, samplesWithoutPeriod } = events[at]!;
      const key = this.#eventKeys.intern(view, start, end);
      const facts = (this.#eventOf[key] ??= this.#newEvent(name, key));
      facts.hasPeriod ||= hasPeriod;
      facts.samplesWithoutPeriod += samplesWithoutPeriod;
      indices[index] = facts.index;
    });
    return indices;
  }

  /** Returns what to add to the part's times. */
  #absorbTimes(times: TimesOfPart): number {
    const shift = this.#shiftOf(times);
    if (!this.#hasTimes) {
      this.#hasTimes = true;
      this.#originSeconds = times.originSeconds;
      this.#originNanoseconds = times.originNanoseconds;
    }
    this.#firstTime = Math.min(this.#firstTime, times.first + shift);
    this.#lastTime = Math.max(this.#lastTime, times.last + shift);
    return shift;
  }

  /** From the origin here to a part's, in nanoseconds. */
  #shiftOf({ originSeconds, originNanoseconds }: TimesOfPart): number {
    if (!this.#hasTimes) return 0;
    return (originSeconds - this.#originSeconds) * 1e9 + (originNanoseconds - this.#originNanoseconds);
  }

  /** Nanoseconds after the first sample, exact for 104 days: seconds and nanoseconds are subtracted apart. */
  #relativeTime(line: EventLine): number {
    if (!this.#hasTimes) {
      this.#hasTimes = true;
      this.#originSeconds = line.seconds;
      this.#originNanoseconds = line.nanoseconds;
    }
    const time = (line.seconds - this.#originSeconds) * 1e9 + (line.nanoseconds - this.#originNanoseconds);
    this.#firstTime = Math.min(this.#firstTime, time);
    this.#lastTime = Math.max(this.#lastTime, time);
    return time;
  }

  #timeOrigin(): bigint {
    const first = BigInt(this.#originSeconds) * 1_000_000_000n + BigInt(this.#originNanoseconds);
    return first + BigInt(this.#firstTime);
  }

  #diagnoseMissingPeriods(): void {
    for (const { hasPeriod, samplesWithoutPeriod } of this.#events) {
      if (!hasPeriod || samplesWithoutPeriod === 0) continue;
      this.#builder.diagnostics.add('missing-period', 'Samples without a period among samples with one weigh 1.', {
        count: samplesWithoutPeriod,
      });
    }
  }

  #warnInexact(lineNumber: number): void {
    this.#builder.diagnostics.add('inexact-weight', 'Weights beyond 2^53 are rounded to 53 significant bits.', {
      first: { line: lineNumber },
    });
  }
}

export const NOT_UTF8 = { code: 'not-utf8', message: 'Names that are not valid UTF-8 were read as Latin-1.' } as const;

function shift(column: Float64Array, by: number): void {
  for (let row = 0; row < column.length; row++) column[row]! += by;
}
