import type { AnnotatedEvent, AnnotationRow } from '#core/contract/source.ts';
import { cleanMessage } from '../message-log.ts';

/** A function of 200 KB of code; nobody reads a longer listing. */
const MAX_ROWS = 50_000;
/** Maximum characters per row: long source lines (minified, generated) are truncated. */
const MAX_TEXT = 2000;

/**
 * Parses the output of `perf annotate --stdio --show-total-period`: per event a heading, then instructions (`119 :
 * 1146: shl $0xd,%edx`) interleaved with source lines (`: 7 value ^= value << 13;`). Source of the layout: the kernel's
 * tools/perf/util/annotate.c.
 *
 * Drops the numbers that perf puts before source lines: perf counts on from the last line that objdump named, so the
 * numbers are wrong wherever objdump printed more than one line at once.
 */
export function parseAnnotation(text: string): AnnotatedEvent[] {
  const events: EventReader[] = [];
  for (const line of text.split('\n')) {
    const heading = HEADING.exec(line);
    if (heading === null) events.at(-1)?.push(line);
    else events.push(new EventReader(heading[1]!, heading[2]!, Number(heading[3])));
  }
  return events.map((event) => event.finish());
}

const HEADING = /^\s*Period\s*\|\s*(?:Source code & )?Disassembly of (.*) for (\S+) \((\d+) samples?\b/;
const INSTRUCTION = /^\s*(\d+)\s*:\s*([0-9a-f]+):\s*(.*)$/;
const OTHER = /^\s*:(.*)$/;
/** Appended by `--print-line`. */
const PLACE = / \/\/ (\S.*:\d+)$/;
const NUMBER = /^\s*\d+(?:\s|$)/;
const SYMBOL_LINE = /^(?:Disassembly of section .*:|[0-9a-f]{8,} <.*>:)$/;
/** `mix():`, and locations that are not absolute paths, which perf mistakes for source. */
const PLACE_LINE = /^(?:\S.*\(\):|\S[^;{}"]*\.\w+:\d+(?: \(discriminator \d+\))?)$/;

class EventReader {
  readonly #module: string;
  readonly #event: string;
  readonly #samples: number;
  readonly #lines: string[] = [];

  constructor(module: string, event: string, samples: number) {
    this.#module = module;
    this.#event = event;
    this.#samples = samples;
  }

  push(line: string): void {
    this.#lines.push(line);
  }

  finish(): AnnotatedEvent {
    const numbered = this.#areNumbered();
    const rows: AnnotationRow[] = [];
    let total = 0;
    const omitted = { rows: 0, period: 0 };
    for (const line of this.#lines) {
      const row = toRow(line, numbered);
      if (row === null) continue;
      const period = row.kind === 'instruction' ? row.period : 0;
      total += period;
      if (rows.length < MAX_ROWS) rows.push(row);
      else {
        omitted.rows += 1;
        omitted.period += period;
      }
    }
    return { event: this.#event, module: this.#module, samples: this.#samples, total, rows, omitted };
  }

  /** Returns whether source lines have numbers; perf before 5.13 adds none, but lines may begin with a number. */
  #areNumbered(): boolean {
    return this.#lines.every((line) => {
      const text = OTHER.exec(line)?.[1] ?? '';
      return text.trim() === '' || NUMBER.test(text);
    });
  }
}

function toRow(line: string, numbered: boolean): AnnotationRow | null {
  const instruction = INSTRUCTION.exec(line);
  if (instruction !== null) {
    const [, period, address, written] = instruction;
    const place = PLACE.exec(written!);
    const text = clean(place === null ? written! : written!.slice(0, place.index));
    return { kind: 'instruction', address: address!, text, period: Number(period), place: place?.[1] ?? null };
  }
  const other = OTHER.exec(line)?.[1];
  if (other === undefined) return null;
  const text = clean(numbered ? other.replace(NUMBER, '') : other);
  if (text === '' || SYMBOL_LINE.test(text)) return null;
  return { kind: PLACE_LINE.test(text) ? 'place' : 'source', text };
}

const clean = (text: string): string => cleanMessage(text.slice(0, MAX_TEXT));
