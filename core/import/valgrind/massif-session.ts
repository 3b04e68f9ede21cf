import type { EventIndex, FrameIndex, ValueTypeIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile, type ValueType } from '../../model/profile.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { IndentedTree, type IndentedRow } from '../stacks/indented-tree.ts';
import { BUILD_WITH_SYMBOLS, diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { addValgrindFrame } from './frame.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** The model has at most 255 events. */
const MAX_SNAPSHOTS = 250;
const ROW = /^( *)n(\d{1,9}): (\d{1,20}) (.*)$/;
const SETTING = /^([a-zA-Z_]+)(?:: ?|=)(.*)$/;
const BELOW_THRESHOLD = /^in \d+ places?,/;

export class MassifSession implements LineSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #note = this.#builder.diagnostics.atLine;
  #command: string | null = null;
  #isMilliseconds = false;
  #snapshot = '';
  #time: number | undefined;
  #event: EventIndex | null = null;
  #peak: EventIndex | null = null;
  readonly #events: string[] = [];
  /** The whole, then functions, each with its callers below; by bytes, and the number of rows below that they state. */
  readonly #rows = new IndentedTree(this.#builder, (row) => this.#close(row), true);

  finish(lastLine: number): Profile {
    this.#rows.finish();
    if (this.#events.length === 0) {
      throw malformed('no snapshot has stacks; have massif take more (--detailed-freq=1)', lastLine);
    }
    const profile = this.#builder.finish(
      this.#events.map((type, event): ValueType => ({ type, unit: 'bytes', event, column: 0 })),
      {
        format: 'massif',
        defaultValueType: Math.max(0, this.#peak ?? this.#events.length - 1) as ValueTypeIndex,
        tool: 'Massif',
        command: this.#command,
      },
    );
    return diagnoseUnresolved(profile, BUILD_WITH_SYMBOLS);
  }

  line({ text, number }: TextLine): void {
    if (text.trim() === '' || text.startsWith('#')) return;
    const [, indent, callers, digits, rest] = ROW.exec(text) ?? [];
    if (indent !== undefined) {
      if (this.#event === null) return;
      if (Number(digits) > Number.MAX_SAFE_INTEGER) this.#note(...INEXACT_WEIGHT, number);
      const frame = indent === '' ? null : this.#frame(rest!);
      return this.#rows.add(indent.length, frame, [Number(digits), Number(callers)], number);
    }
    const [, key, value] = SETTING.exec(text) ?? [];
    if (key === undefined) return this.#note('skipped-line', 'Lines that are not massif’s were skipped.', number);
    this.#set(key, value!, number);
  }

  #set(key: string, value: string, line: number): void {
    if (key === 'cmd') this.#command = value;
    else if (key === 'time_unit') this.#isMilliseconds = value === 'ms';
    else if (key === 'snapshot') {
      this.#rows.finish();
      this.#snapshot = value;
      this.#event = null;
    } else if (key === 'time') {
      const time = Number(value) * 1e6;
      this.#time = this.#isMilliseconds && Number.isFinite(time) ? time : undefined;
    } else if ((key === 'mem_heap_extra_B' || key === 'mem_stacks_B') && value !== '0') {
      this.#note('administration', 'Bytes of heap administration and of stacks were skipped.', line, 'info');
    } else if (key === 'heap_tree') this.#begin(value, line);
  }

  #begin(kind: string, line: number): void {
    if (kind === 'empty') {
      return this.#note('snapshots-without-stacks', 'Snapshots without stacks were skipped.', line, 'info');
    }
    const name = `snapshot ${this.#snapshot}${kind === 'peak' ? ' (peak)' : ''}`;
    if (this.#events.length >= MAX_SNAPSHOTS && kind !== 'peak') {
      return this.#note('snapshots-left-out', `More than ${MAX_SNAPSHOTS} snapshots: the others were skipped.`, line);
    }
    if (this.#events.includes(name) || this.#events.length >= MAX_SNAPSHOTS + 1) {
      throw malformed(`repeated ${name.slice(0, 40)}`, line);
    }
    this.#events.push(name);
    this.#event = this.#builder.event(name);
    if (kind === 'peak') this.#peak = this.#event;
  }

  #frame(text: string): FrameIndex {
    if (!BELOW_THRESHOLD.test(text)) return addValgrindFrame(this.#builder, text);
    const func = this.#builder.function({ name: '(below massif’s threshold)', kind: FunctionKind.synthetic });
    return this.#builder.frame({ func });
  }

  /** Bytes that a row's callers do not account for are its own. */
  #close({ weights: [bytes, stated], below: [below], children, line }: IndentedRow): void {
    if (stated! > children) {
      this.#note('truncated-input', 'Rows have fewer callers than they state: the others are missing.', line);
    }
    const own = bytes! - below!;
    if (own < 0) {
      this.#note(
        'children-exceed',
        'Rows have fewer bytes than the rows they contain; their self bytes were taken as 0.',
        line,
      );
    }
    if (own <= 0) return;
    const stack = this.#rows.stackOfCallers();
    const thread = this.#builder.thread(-1, -1, '');
    this.#builder.sample({ stack, thread, event: this.#event ?? undefined, time: this.#time }, own);
  }
}
