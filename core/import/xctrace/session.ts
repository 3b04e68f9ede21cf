import { NO_STACK, type EventIndex } from '../../model/brand.ts';
import { unsupported } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile, ValueType } from '../../model/profile.ts';
import { NOT_UTF8 } from '../common-diagnostics.ts';
import type { ImportSession } from '../importer.ts';
import { SAMPLES } from '../perf-script/events.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { numberWithin, stackWithin, valueOf, type ElementValue, type OpenElement } from './elements.ts';
import { XmlReader, type Attributes } from '../text/xml-reader.ts';

const EXPORT_TABLE =
  'export a table: `xcrun xctrace export --input FILE --xpath \'/trace-toc/run/data/table[@schema="time-profile"]\'`';
/** Limit of a profile's column. */
const MAX_EVENTS = 255;

/** Rows of tables of one schema are samples of an event with that name. */
interface Schema {
  readonly event: EventIndex;
  /** Unit of the rows' weights; null if there are none. */
  unit: string | null;
}

/** Elements of rows that are weights, and their units. */
const WEIGHTS = [
  ['weight', 'nanoseconds'],
  ['cycle-weight', 'count'],
] as const;
const TIMES = ['sample-time', 'event-time', 'start-time'];

export class XctraceSession implements ImportSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #reader = new XmlReader({
    open: (name, attributes) => this.#openElement(name, attributes),
    text: (text) => this.#text(text),
    close: () => this.#closeElement(),
  });
  readonly #open: OpenElement[] = [];
  readonly #byId = new Map<string, ElementValue>();
  readonly #schemas = new Map<string, Schema>();
  /** Schema of the current table; it becomes an event once it is known to have backtraces. */
  #schemaName = '';
  #schema: Schema | null = null;

  push(chunk: Uint8Array): void {
    this.#reader.push(chunk);
  }

  finish(): Profile {
    this.#reader.finish();
    if (this.#builder.sampleCount === 0) {
      throw unsupported(`an export of xctrace without backtraces; ${EXPORT_TABLE}`, 1);
    }
    if (this.#reader.isLatin1) this.#builder.diagnostics.add(...NOT_UTF8, { severity: 'info' });
    const profile = this.#builder.finish(this.#valueTypes(), {
      format: 'xctrace',
      tool: 'xctrace',
      timeOrigin: 0n,
    });
    return diagnoseUnresolved(profile, 'Let Instruments find the dSYM files of the binaries before the export.');
  }

  #valueTypes(): ValueType[] {
    return [...this.#schemas].flatMap(([type, { event, unit }]): ValueType[] => {
      const count: ValueType = { type, unit: SAMPLES, event, column: -1 };
      return unit === null ? [count] : [count, { type, unit, event, column: 0 }];
    });
  }

  #openElement(name: string, attributes: Attributes): void {
    if (name === 'schema' || name === 'node') {
      this.#schemaName = attributes.get('name') ?? SAMPLES;
      this.#schema = null;
    }
    this.#open.push({ name, attributes, text: '', children: new Map(), frames: [] });
  }

  #text(text: string): void {
    if (text.trim() !== '') this.#open.at(-1)!.text += text;
  }

  #closeElement(): void {
    const element = this.#open.pop()!;
    if (element.name === 'row') return this.#row(element.children);
    if (element.name === 'engineering-type' && element.text.includes('backtrace')) this.#useSchema();
    const value = this.#resolve(element);
    const parent = this.#open.at(-1);
    if (value === null || parent === undefined) return;
    if (value.kind === 'frame') parent.frames.push(value.value);
    else parent.children.set(element.name, value);
  }

  #resolve(element: OpenElement): ElementValue | null {
    const ref = element.attributes.get('ref');
    if (ref !== undefined) return this.#byId.get(ref) ?? this.#unknown(element.name);
    const value = valueOf(this.#builder, element);
    const id = element.attributes.get('id');
    if (id !== undefined && value !== null) this.#byId.set(id, value);
    return value;
  }

  /** Only elements that samples use are stored, so other references can't be resolved. */
  #unknown(element: string): null {
    if (['frame', 'backtrace', 'binary', 'thread', 'weight'].includes(element)) {
      this.#reader.fail(`<${element}> refers to a missing element`);
    }
    return null;
  }

  #useSchema(): Schema {
    const known = this.#schemas.get(this.#schemaName);
    if (known === undefined && this.#schemas.size === MAX_EVENTS) this.#reader.fail('tables of too many schemas');
    this.#schema = known ?? { event: this.#builder.event(this.#schemaName), unit: null };
    this.#schemas.set(this.#schemaName, this.#schema);
    return this.#schema;
  }

  #row(children: ReadonlyMap<string, ElementValue>): void {
    const stack = stackWithin(children);
    if (stack === null && this.#schema === null) {
      const message = 'Rows of tables without backtraces were skipped.';
      return this.#builder.diagnostics.atLine('skipped-rows', message, this.#reader.line, 'info');
    }
    const schema = this.#schema ?? this.#useSchema();
    const thread = children.get('thread');
    this.#builder.sample(
      {
        stack: stack?.value ?? NO_STACK,
        thread: thread?.kind === 'thread' ? thread.value : this.#builder.thread(-1, -1, ''),
        event: schema.event,
        time: TIMES.map((name) => numberWithin(children, name)).find((time) => time !== undefined),
        cpu: numberWithin(children, 'core'),
      },
      this.#weigh(schema, children),
    );
  }

  #weigh(schema: Schema, children: ReadonlyMap<string, ElementValue>): number {
    for (const [name, unit] of WEIGHTS) {
      const weight = numberWithin(children, name);
      if (weight === undefined) continue;
      schema.unit ??= unit;
      return weight;
    }
    return 0;
  }
}
