import { NO_STACK, type EventIndex } from '../../model/brand.ts';
import type { SourceLocation } from '../../model/diagnostics.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import type { ValueType } from '../../model/profile.ts';
import type { JfrAbout, JfrInterval } from './about.ts';
import type { JfrChunk, JfrEvent } from './chunk.ts';
import type { JfrConstants } from './constants.ts';
import { JfrEventReading, type JfrEventReader, type JfrEventValues } from './event-reading.ts';
import { isKnownEvent, MAX_WEIGHTS, rankOfEvent, type JfrWeight } from './events.ts';
import type { JfrStack } from './stacks.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** Weight columns of a sample other than its count: the event's own, then async-profiler's interval. */
export const WEIGHT_COLUMNS = MAX_WEIGHTS + 1;
const INTERVAL_COLUMN = MAX_WEIGHTS;
/** Event whose samples each represent async-profiler's interval. */
const SAMPLED_AT_INTERVALS = 'jdk.ExecutionSample';
/** The maximum of a profile. */
const MAX_EVENTS = 255;

/** The part of one event that is in the profile. */
interface EventSummary {
  readonly event: EventIndex;
  readonly weights: readonly JfrWeight[];
  /** By column: whether any sample had weight. */
  readonly hasWeight: boolean[];
  interval: JfrInterval | null;
}

/** Converts a recording's events to samples, chunk by chunk. */
export class JfrSamples {
  readonly #builder: ProfileBuilder;
  readonly #about: JfrAbout;
  readonly #events = new Map<string, EventSummary>();
  readonly #timeOrigin: bigint;
  /** Interval of the current chunk. */
  #interval: JfrInterval | null = null;
  /** Weights of the current sample. */
  readonly #weights = Array.from({ length: WEIGHT_COLUMNS }, () => 0);

  constructor(builder: ProfileBuilder, about: JfrAbout, timeOrigin: bigint) {
    this.#builder = builder;
    this.#about = about;
    this.#timeOrigin = timeOrigin;
  }

  /** Must be called after `about` has read the chunk. */
  readChunk(chunk: JfrChunk, constants: JfrConstants): void {
    const reading = new JfrEventReading(chunk, constants, this.#builder, this.#about.pid);
    const offset = Number(chunk.header.startNs - this.#timeOrigin);
    this.#interval = this.#about.interval;
    chunk.forEachEvent((event) => {
      const reader = reading.readerOf(event.typeId);
      if (reader === null) this.#leaveOut();
      else this.#sample(reader, reading.read(reader), event, chunk, offset);
    });
  }

  /**
   * Returns the value types in the order in which views offer them: well-known events first. Types in which no sample
   * has weight are left out.
   */
  valueTypes(): ValueType[] {
    const summaries = [...this.#events].toSorted(([a], [b]) => rankOfEvent(a) - rankOfEvent(b));
    return summaries.flatMap(([, { event, weights, hasWeight, interval }]) => {
      let columns = 0;
      const types = weights
        .map(({ type, unit, field }) => ({ type, unit, event, column: field === null ? -1 : columns++ }))
        .filter(({ column }) => column < 0 || hasWeight[column] === true);
      if (interval === null) return types;
      return [...types, { type: interval.type, unit: interval.unit, event, column: INTERVAL_COLUMN }];
    });
  }

  #sample(reader: JfrEventReader, values: JfrEventValues, event: JfrEvent, chunk: JfrChunk, offset: number): void {
    const { stack, isMissing } = values.stack;
    if (stack === NO_STACK && !isMissing && !isKnownEvent(reader.name)) return this.#leaveOut();
    const first = { byte: chunk.bytes.origin + event.start };
    const summary = this.#summaryOf(reader, first);
    if (summary === null) return;
    this.#weigh(summary, values.numbers);
    if (reader.name === SAMPLED_AT_INTERVALS && this.#interval !== null) {
      this.#weights[INTERVAL_COLUMN] = this.#interval.value;
      summary.interval ??= this.#interval;
    }
    this.#diagnose(values.stack, first);
    this.#builder.sample(
      {
        stack,
        thread: values.thread ?? this.#builder.thread(this.#about.pid, -1, ''),
        event: summary.event,
        time: values.time === undefined ? undefined : values.time + offset,
        labelSet: values.labels.length === 0 ? undefined : this.#builder.labelSet(values.labels),
      },
      ...this.#weights,
    );
  }

  /** Fills {@link #weights}. */
  #weigh({ weights, hasWeight }: EventSummary, numbers: ReadonlyMap<string, number>): void {
    const columns = this.#weights.fill(0);
    let column = 0;
    for (const { field, isIntervals } of weights) {
      if (field === null) continue;
      const value = numbers.get(field) ?? 0;
      columns[column] = isIntervals === true ? value * (this.#interval?.value ?? 0) : value;
      if (columns[column] !== 0) hasWeight[column] = true;
      column += 1;
    }
  }

  #diagnose({ isMissing, isTruncated }: JfrStack, first: SourceLocation): void {
    const { diagnostics } = this.#builder;
    if (isMissing) {
      diagnostics.add('missing-stacks', 'Samples whose stack is missing from the recording were kept without one.', {
        first,
      });
    }
    if (isTruncated) {
      diagnostics.add(
        'truncated-stacks',
        'Stacks are deeper than the profiler’s limit and lack their outermost frames.',
        { first, remedy: 'Raise the depth: -XX:FlightRecorderOptions:stackdepth=…, or jstackdepth of async-profiler.' },
      );
    }
    if (this.#weights.some((weight) => Math.abs(weight) > Number.MAX_SAFE_INTEGER)) {
      diagnostics.add(...INEXACT_WEIGHT, { first });
    }
  }

  /** Returns null if a profile can't have more events. */
  #summaryOf({ name, weights }: JfrEventReader, first: SourceLocation): EventSummary | null {
    const known = this.#events.get(name);
    if (known !== undefined) return known;
    if (this.#events.size >= MAX_EVENTS) {
      this.#builder.diagnostics.add('too-many-events', `Events beyond the first ${MAX_EVENTS} kinds are not shown.`, {
        first,
      });
      return null;
    }
    const made: EventSummary = { event: this.#builder.event(name), weights, hasWeight: [], interval: null };
    this.#events.set(name, made);
    return made;
  }

  #leaveOut(): void {
    this.#builder.diagnostics.add(
      'other-events',
      'Events without a stack (settings, collections, loads…) are not shown.',
      {
        severity: 'info',
        remedy: '`jfr print` and JDK Mission Control show them.',
      },
    );
  }
}
