import type { EventIndex, StackIndex, ThreadIndex } from '../../model/brand.ts';
import { ByteTable } from '../../model/intern/byte-table.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile, ProfileMetadata } from '../../model/profile.ts';
import { decodeText } from '../../model/decode-text.ts';
import type { EventLine } from './event-line.ts';
import { shiftTimes, startValueType, valueTypesOfEvents } from './events.ts';
import { INEXACT_WEIGHT, NOT_UTF8 } from '../common-diagnostics.ts';

/** The builder accepts 255; the last one represents all later ones (`-e 'syscalls:*'` has some 700). */
const MAX_EVENTS = 254;
const OTHER_EVENTS = '(other events)';

interface EventFacts {
  readonly name: string;
  readonly index: EventIndex;
  hasPeriod: boolean;
  samplesWithoutPeriod: number;
}

/** Converts event lines into rows of the profile's samples, threads and events. */
export class SampleRows {
  readonly #builder: ProfileBuilder;
  readonly #threadKeys = new ByteTable();
  readonly #threads: ThreadIndex[] = [];
  readonly #eventKeys = new ByteTable();
  #lastEventKey = 0;
  /** By row of #eventKeys. */
  readonly #eventOf: EventFacts[] = [];
  readonly #events: EventFacts[] = [];
  /** Fields of the current sample, from its event line. */
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

  /** Reads the line that begins a sample. `add` completes it. */
  begin(line: EventLine, view: DataView, bytes: Uint8Array, start: number, lineNumber: number): void {
    const key = this.#threadKeys.intern(view, start, line.threadEnd);
    this.#threads[key] ??= this.#newThread(line, bytes, lineNumber);
    this.#thread = this.#threads[key];
    this.#event = this.#eventFacts(line, view, bytes);
    if (line.hasPeriod) this.#event.hasPeriod = true;
    else this.#event.samplesWithoutPeriod += 1;
    if (line.hasPeriod && line.period > Number.MAX_SAFE_INTEGER) this.#warnInexact(lineNumber);
    this.#period = line.hasPeriod ? line.period : 1;
    this.#cpu = line.cpu;
    this.#time = line.hasTime ? this.#relativeTime(line) : Number.NaN;
  }

  /** Returns whether the line's event has occurred before, so that it is not the beginning of a longer name. */
  knowsEvent(line: EventLine, view: DataView): boolean {
    return this.#eventKeys.length === 1 || this.#eventKeys.find(view, line.eventStart, line.eventEnd) > 0;
  }

  add(stack: StackIndex): void {
    const time = Number.isNaN(this.#time) ? undefined : this.#time;
    this.#builder.sample(
      { stack, thread: this.#thread, event: this.#event!.index, time, cpu: this.#cpu },
      this.#period,
    );
  }

  finish(metadata: Partial<ProfileMetadata>): Profile {
    this.#diagnoseMissingPeriods();
    const valueTypes = valueTypesOfEvents(this.#events);
    const span = this.#lastTime - this.#firstTime;
    const profile = this.#builder.finish(valueTypes, {
      ...metadata,
      format: 'perf-script',
      timeOrigin: this.#hasTimes ? this.#timeOrigin() : null,
      durationNs: span > 0 ? span : null,
    });
    // Samples of several CPUs or recordings may be out of order; the earliest is the origin.
    if (this.#firstTime < 0) shiftTimes(profile.samples.time!, -this.#firstTime);
    return { ...profile, metadata: { ...profile.metadata, defaultValueType: startValueType(profile) } };
  }

  #newThread(line: EventLine, bytes: Uint8Array, lineNumber: number): ThreadIndex {
    const { text, latin1 } = decodeText(bytes.subarray(line.commStart, line.commEnd));
    if (latin1) {
      const note = { severity: 'info', first: { line: lineNumber } } as const;
      this.#builder.diagnostics.add(...NOT_UTF8, note);
    }
    return this.#builder.thread(line.pid, line.tid, text);
  }

  #eventFacts(line: EventLine, view: DataView, bytes: Uint8Array): EventFacts {
    const { eventStart: start, eventEnd: end } = line;
    const isSame = this.#eventKeys.endIfAt(view, start, end, this.#lastEventKey) === end;
    const key = isSame ? this.#lastEventKey : this.#eventKeys.intern(view, start, end);
    this.#lastEventKey = key;
    return (this.#eventOf[key] ??= this.#newEvent(decodeText(bytes.subarray(start, end)).text));
  }

  #newEvent(name: string): EventFacts {
    if (this.#events.length > MAX_EVENTS) return this.#events[MAX_EVENTS]!;
    const isOther = this.#events.length === MAX_EVENTS;
    if (isOther) {
      this.#builder.diagnostics.add('many-events', `Events after the first ${MAX_EVENTS} are counted as one.`);
    }
    const eventName = isOther ? OTHER_EVENTS : name;
    const facts = {
      name: eventName,
      index: this.#builder.event(eventName),
      hasPeriod: false,
      samplesWithoutPeriod: 0,
    };
    this.#events.push(facts);
    return facts;
  }

  /**
   * Nanoseconds after the first sample, exact for 104 days because seconds and nanoseconds are subtracted separately.
   */
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
    this.#builder.diagnostics.add(...INEXACT_WEIGHT, { first: { line: lineNumber } });
  }
}
