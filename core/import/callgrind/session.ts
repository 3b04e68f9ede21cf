import { malformed, unsupported } from '../../model/failure.ts';
import type { Profile } from '../../model/profile.ts';
import { CallgrindBody } from './body.ts';
import { callgrindEvent } from './events.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { HEADER_LINE, HEADER_KEYS } from './sniff.ts';
import { BUILD_WITH_SYMBOLS, diagnoseUnresolved } from '../stacks/unresolved-frames.ts';

/** Callgrind has about 20; each adds a number to every line of code. */
const MAX_EVENTS = 64;
const MAX_COMMENTS = 100;
const MAX_COMMENT_LENGTH = 1000;

export class CallgrindSession implements LineSession {
  readonly #header = new Map<string, string>();
  readonly #comments: string[] = [];
  readonly #longNames = new Map<string, string>();
  #events: string | null = null;
  #body: CallgrindBody | null = null;

  finish(lastLine: number): Profile {
    if (this.#body === null || this.#events === null) throw malformed('the header has no `events:`', lastLine);
    const events = wordsOf(this.#events).map((name) => callgrindEvent(name, this.#longNames.get(name)));
    const builder = this.#body.finish(events, lastLine);
    const [, tool, toolVersion = null] = /^(callgrind)-(\S+)$/.exec(this.#header.get('creator') ?? '') ?? [];
    const profile = builder.finish(events, {
      format: 'callgrind',
      tool: tool ?? this.#header.get('creator') ?? null,
      toolVersion,
      command: this.#header.get('cmd') ?? null,
      comments: this.#comments,
    });
    return diagnoseUnresolved(profile, BUILD_WITH_SYMBOLS);
  }

  line(line: TextLine): void {
    const text = line.text.trim();
    if (text === '' || text.startsWith('#')) return;
    const [, key, value] = HEADER_LINE.exec(text) ?? [];
    if (key !== undefined && HEADER_KEYS.has(key)) return this.#headerLine(key, value!, line.number);
    if (this.#body === null) throw malformed('functions come before the header’s `events:`', line.number);
    this.#body.line(text, line.number);
  }

  #headerLine(key: string, value: string, line: number): void {
    if (key === 'version' && Number(value) > 1) {
      throw unsupported(`version ${value.slice(0, 20)} of the format; Flamebench reads version 1`, line);
    }
    if (key === 'events') this.#setEvents(value, line);
    else if (key === 'event') this.#longName(value);
    else if (key === 'summary' || key === 'totals') {
      // Xdebug's total is the whole run time, which includes more than functions.
      if (!/xdebug/i.test(this.#header.get('creator') ?? '')) this.#body?.expectTotals(key, value);
    } else if (key === 'desc') {
      if (this.#comments.length < MAX_COMMENTS) this.#comments.push(value.slice(0, MAX_COMMENT_LENGTH));
    } else if (key === 'positions' || key === 'pid' || key === 'thread' || key === 'part') {
      this.#header.set(key, value);
      this.#body?.beginSection(this.#header);
    } else if (!this.#header.has(key)) this.#header.set(key, value);
  }

  #setEvents(value: string, line: number): void {
    const events = wordsOf(value).join(' ');
    if (events === '') throw malformed('`events:` is empty', line);
    if (wordsOf(events).length > MAX_EVENTS) {
      throw unsupported(`more than ${MAX_EVENTS} events`, line);
    }
    if (this.#events !== null && this.#events !== events) {
      throw unsupported('parts whose events differ from the first part’s', line);
    }
    this.#events = events;
    if (this.#body === null) this.#body = new CallgrindBody(wordsOf(events).length);
    else this.#body.beginDump();
    this.#body.beginSection(this.#header);
  }

  /** Parses `Ir : Instruction Fetches`. An event that is a formula of others, `Sum = Ir + Dr`, is not a column. */
  #longName(value: string): void {
    const [, name, longName] = /^(\S+)[^:]*:\s*(.*)$/.exec(value) ?? [];
    if (name !== undefined) this.#longNames.set(name, longName!);
  }
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
