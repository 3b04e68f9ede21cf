import type { FrameIndex, ThreadIndex } from '../../model/brand.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { malformed, tooLarge } from '../../model/failure.ts';
import { ProfileBuilder, type FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { SAMPLES } from '../perf-script/events.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { IndentedTree, type IndentedRow } from '../stacks/indented-tree.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';

const EVENT = /^@ (\S.*) \[(\d+) samples\]\s*$/;
const ROW = /^( *)\d+\.\d+% +\[(\d+)\] +(?=\S)/;
/** Separates a function from its module. */
const AT = ' @ ';
const COMMENT = /^\s*(?:#|\/\/)/;
const ADDRESS = /^0x([0-9a-f]{1,16})$/;
const KERNEL = /^\/boot\/|\.ko$/;
/** Limit of a profile's event column. */
const MAX_EVENTS = 255;

export class PmcstatSession implements LineSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #note = this.#builder.diagnostics.atLine;
  readonly #thread: ThreadIndex = this.#builder.thread(-1, -1, '');
  readonly #frames = new Map<string, FrameIndex>();
  readonly #events: string[] = [];
  /** Functions, each with its callers below. */
  readonly #rows = new IndentedTree(this.#builder, (row) => this.#close(row), true);
  /** The event's samples that are in no function listed so far, and the line that states their number. */
  #unlisted = 0;
  #eventLine = 0;
  /** pmcstat prints a module only if it differs from that of the previous row. */
  #module = '';

  finish(lastLine: number): Profile {
    this.#endEvent();
    if (this.#builder.sampleCount === 0) {
      throw malformed('no event has a function; save the output of `pmcstat -R FILE -G -`', lastLine);
    }
    const valueTypes = this.#events.map((type, event) => ({ type, unit: SAMPLES, event, column: 0 }));
    const profile = this.#builder.finish(valueTypes, {
      format: 'pmcstat',
      tool: 'pmcstat',
    });
    return diagnoseUnresolved(profile, 'Let pmcstat find the binaries: `pmcstat -r ROOT -k KERNELDIR`.');
  }

  line({ text, number }: TextLine): void {
    if (text.trim() === '' || COMMENT.test(text)) return;
    const [, event, samples] = EVENT.exec(text) ?? [];
    if (event !== undefined) return this.#startEvent(event, countOf(samples!, number), number);
    const [start = '', indent, digits] = ROW.exec(text) ?? [];
    if (indent === undefined) return this.#note('skipped-line', 'Lines that are not rows were skipped.', number);
    const place = text.slice(start.length).trimEnd();
    const at = place.lastIndexOf(AT);
    if (at > 0) this.#module = place.slice(at + AT.length);
    this.#row(indent.length, at > 0 ? place.slice(0, at) : place, countOf(digits!, number), number);
  }

  #row(depth: number, name: string, count: number, line: number): void {
    if (this.#events.length === 0) this.#startEvent('samples', 0, line);
    this.#rows.add(depth, this.#frame(name), [count], line);
    if (depth === 0) this.#unlisted -= count;
  }

  /** Samples that the listed callers do not account for end at this one. */
  #close({ weights: [count], below: [listed], children, line }: IndentedRow): void {
    const rest = count! - listed!;
    if (rest > 0 && children > 0) {
      const message = 'Stacks end at the last caller listed.';
      this.#builder.diagnostics.add('unlisted-callers', message, { severity: 'info', count: rest, first: { line } });
    }
    if (rest > 0) this.#sample(rest);
    if (rest < 0) this.#note('uneven-counts', 'Callers have more samples than their callees.', line);
  }

  #sample(count: number): void {
    const event = this.#builder.event(this.#events.at(-1)!);
    this.#builder.sample({ stack: this.#rows.stackOfCallers(), thread: this.#thread, event }, count);
  }

  #startEvent(name: string, samples: number, line: number): void {
    this.#endEvent();
    if (this.#events.length === MAX_EVENTS) {
      throw tooLarge(`more than ${MAX_EVENTS.toLocaleString('en')} events; record fewer at a time`, line);
    }
    if (this.#events.includes(name)) throw malformed('a repeated event', line);
    this.#events.push(name);
    this.#builder.event(name);
    this.#unlisted = samples;
    this.#eventLine = line;
  }

  #endEvent(): void {
    this.#rows.finish();
    if (this.#unlisted <= 0) return;
    const message = 'Samples of functions that pmcstat left out of its listing are missing.';
    this.#builder.diagnostics.add('unlisted-functions', message, {
      count: this.#unlisted,
      first: { line: this.#eventLine },
    });
    this.#unlisted = 0;
  }

  #frame(name: string): FrameIndex {
    const key = `${name} @ ${this.#module}`;
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const digits = ADDRESS.exec(name)?.[1];
    const frame = this.#builder.frame({
      func: this.#builder.function(functionOf(digits === undefined ? name : null, this.#module)),
      address: digits === undefined ? null : BigInt(`0x${digits}`),
    });
    this.#frames.set(key, frame);
    return frame;
  }
}

/** `name` is null if there is only an address. */
function functionOf(name: string | null, module: string): FunctionKey {
  if (name === null) return unresolvedFunction(module);
  const kind = KERNEL.test(module) ? FunctionKind.kernel : module === '' ? FunctionKind.unknown : FunctionKind.user;
  return { name: demangle(name) ?? name, module, kind };
}

function countOf(digits: string, line: number): number {
  const count = Number(digits);
  if (Number.isSafeInteger(count)) return count;
  throw malformed('a count beyond 2^53', line);
}
