import { NO_STACK, type StackIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { addCostCentre, GHC_WEIGHTS, ghcMetadata } from './cost-centre.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

const TREE = /^COST CENTRE\s+MODULE\s+(SRC\s+)?no\.\s+entries\s/;
/** Number, entries, individual and inherited shares, then, with `-P`, ticks and bytes. */
const NUMBERS = /\s+(\d+)\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)(?:\s+(\d+)\s+(\d+))?$/;
const TIME = /^\s*total time\s*=\s*([\d.]+) secs\s*\((\d+) ticks @ (\d+) ([mu])s/;

/** Start of columns, in UTF-16 units. */
interface Columns {
  readonly module: number;
  /** null in reports of GHC before version 8. */
  readonly source: number | null;
}

export class GhcprofSession implements LineSession {
  readonly #builder = new ProfileBuilder(5);
  readonly #note = this.#builder.diagnostics.atLine;
  readonly #thread = this.#builder.thread(-1, -1, '');
  /** The first lines: what ran and when. */
  #command: string | null = null;
  #tickMicroseconds: number | null = null;
  #ticks: number | null = null;
  #ticksFound = 0;
  #columns: Columns | null = null;
  #isExact: boolean | null = null;
  /** Stack of the previous row, root first. */
  #stack: StackIndex[] = [];

  finish(lastLine: number): Profile {
    if (this.#isExact === null) {
      throw malformed('the report has no table of cost centres with `no.` and `entries`', lastLine);
    }
    if (this.#isExact && this.#ticks !== null && this.#ticks !== this.#ticksFound) {
      this.#builder.diagnostics.add('totals-differ', 'Ticks do not add up to the total that the report states.', {
        remedy: 'Check that the whole file was copied.',
      });
    }
    return this.#builder.finish(
      GHC_WEIGHTS[this.#isExact ? 'exact' : 'shares'],
      ghcMetadata('ghcprof', this.#command, this.#tickMicroseconds),
    );
  }

  line({ text, number }: TextLine): void {
    if (this.#columns !== null) return this.#row(text, number);
    if (TREE.test(text)) {
      const source = text.indexOf('SRC');
      this.#columns = { module: text.indexOf('MODULE'), source: source < 0 ? null : source };
      return;
    }
    const [, , ticks, tick, unit] = TIME.exec(text) ?? [];
    if (ticks !== undefined) {
      this.#ticks = Number(ticks);
      this.#tickMicroseconds = Number(tick) * (unit === 'm' ? 1000 : 1);
    } else if (number > 1 && this.#command === null && this.#ticks === null && text.trim() !== '')
      this.#command = text.trim();
  }

  #row(text: string, line: number): void {
    if (text.trim() === '') return;
    const { module, source } = this.#columns!;
    const found = NUMBERS.exec(text.trimEnd());
    const depth = text.search(/\S/);
    const isExact = found?.[7] !== undefined;
    if (found === null || found.index <= module || depth >= module || (this.#isExact ?? isExact) !== isExact) {
      return this.#note('skipped-line', 'Lines that are not rows of the table were skipped.', line);
    }
    if (depth > this.#stack.length) {
      throw malformed('a row is indented more than one level deeper than the row above', line);
    }
    this.#isExact = isExact;
    const label = text.slice(depth, module).trim();
    const moduleName = text.slice(module, source ?? found.index).trim();
    const place = source === null ? '' : text.slice(source, found.index).trim();
    this.#stack.length = depth;
    const stack = addCostCentre(this.#builder, this.#stack.at(-1) ?? NO_STACK, { label, module: moduleName, place });
    this.#stack.push(stack);
    const [entries, time, alloc] = [found[2], found[3], found[4]].map(Number) as [number, number, number];
    const [ticks, bytes] = isExact ? [Number(found[7]), Number(found[8])] : [0, 0];
    if (Math.max(ticks, bytes, entries) > Number.MAX_SAFE_INTEGER) this.#note(...INEXACT_WEIGHT, line);
    this.#ticksFound += ticks;
    const weights = isExact ? [ticks, bytes, entries, time, alloc] : [time, alloc, entries];
    this.#builder.sample({ stack, thread: this.#thread }, ...weights);
  }
}
