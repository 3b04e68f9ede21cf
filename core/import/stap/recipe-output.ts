import type { FrameIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { memo } from '../../model/memo.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import {
  listField,
  readFields,
  readRowsHeader,
  RecipeSamples,
  recipeValueTypes,
  type KeyNumber,
  type RowsHeader,
} from '../recipes/recipe-rows.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import type { TextLine } from '../text/text-lines.ts';
import { parseStapFrame } from './frame.ts';
import { LuaFunctions, interleaveLuaFrames } from './lua-frames.ts';
import { UNCOUNTED_STACK } from '../common-diagnostics.ts';

/** The first line of a recipe's output, which describes its rows. collectors/stap writes it. */
interface StapRecipeHeader extends RowsHeader {
  /** Rows have a stack of Lua's functions. */
  readonly isLua: boolean;
  /** Name of the recording's kernel module, whose own frames the kernel's stacks may contain. */
  readonly module: string;
  /** Maximum frames of a stack. */
  readonly depth: number;
}

/** Parses a header. Null for any other line, and for a header without the required fields. */
export function readStapRecipeHeader(line: string): StapRecipeHeader | null {
  const fields = readFields(line, '# flamebench stap ');
  const rows = fields === null ? null : readRowsHeader(fields);
  if (fields === null || rows === null) return null;
  const depth = Number(fields.get('depth'));
  return {
    ...rows,
    isLua: listField(fields, 'stacks').includes('lua'),
    module: fields.get('module') ?? '',
    depth: depth > 0 ? depth : Number.POSITIVE_INFINITY,
  };
}

/** `row 12 812 813 worker`: the weight, the header's numbers, the thread's name. */
const ROW = /^row (\d{1,15}) (.*)$/;
/** A frame without a symbol: ` 0x55d2 : 0x55d2`. */
const BARE = /^(0x[0-9a-f]+)(?: : \1)?$/;
/** Report of `stap -t`, which ends the output. */
const TIMING = /^-----|, hits: \d+, cycles: /;
/** Ends the rows of a second, with the time. */
const PRINTED = /^# flamebench printed at=\d+$/;

type Space = 'kernel' | 'user' | 'lua';

/**
 * Reads what the recipes of collectors/stap print: for each row the line `kernel` and the kernel's stack, the line
 * `user` and the user's, and a line with the numbers; at the end the sum of all weights.
 *
 * SystemTap names the functions of the process that runs while it prints. The last rows are printed in its own process,
 * so they have addresses only, most of which occurred with their names before.
 *
 * The recipe `lua` also prints a line `lua ADDRESS NAME` for each function of Lua, and the line `lua` and one of addresses for each row.
 */
export class StapRecipeReader {
  readonly #header: StapRecipeHeader;
  readonly #builder: ProfileBuilder;
  readonly #stacks: Record<Space, string[]> = { kernel: [], user: [], lua: [] };
  #space: Space | null = null;
  readonly #lua = new LuaFunctions();
  readonly #frameOf = memo((text: string): FrameIndex => {
    const { module } = this.#header;
    const { func, address } = parseStapFrame(module === '' ? text : text.replaceAll(module, 'stap'));
    return this.#builder.frame({ func: this.#builder.function(func), address });
  });
  /** Lines with a symbol, by the process's address. */
  readonly #named = new Map<string, string>();
  #line = 0;
  readonly #samples: RecipeSamples;

  constructor(header: StapRecipeHeader) {
    this.#header = header;
    this.#builder = new ProfileBuilder(recipeValueTypes(header).length);
    this.#samples = new RecipeSamples(this.#builder, header);
  }

  line({ text, number, isUnfinished }: TextLine): void {
    this.#line = number;
    if (isUnfinished) return;
    if (text === 'kernel' || text === 'user' || (text === 'lua' && this.#header.isLua)) {
      if (text === 'kernel') this.#reset();
      this.#space = text;
      return;
    }
    if (this.#space !== null && text.startsWith(' ')) {
      this.#stacks[this.#space].push(text.trim());
      return;
    }
    if (this.#header.isLua && this.#lua.name(text)) return;
    if (ROW.test(text)) return this.#row(text, number);
    const fields = readFields(text, '# flamebench ');
    if (fields?.has('total') === true) return this.#readTotal(fields);
    if (text.trim() !== '' && !TIMING.test(text) && !PRINTED.test(text)) this.#skip(number);
  }

  finish(): Profile {
    const { diagnostics, sampleCount } = this.#builder;
    if (this.#space !== null) {
      diagnostics.add(...UNCOUNTED_STACK, { first: { line: this.#line } });
    }
    if (sampleCount === 0) throw malformed('no stack is followed by its count', Math.max(1, this.#line));
    this.#samples.diagnoseLoss(
      'the script recorded more stacks in a second than its map holds.',
      'Record a lower rate.',
    );
    const profile = this.#builder.finish(recipeValueTypes(this.#header), {
      format: 'stap',
      tool: 'SystemTap',
      rateHz: this.#header.rateHz,
      durationNs: this.#samples.durationNs,
    });
    return diagnoseUnresolved(profile, 'Record while the process keeps running; a stripped binary has no names.');
  }

  #reset(): void {
    this.#stacks.kernel = [];
    this.#stacks.user = [];
    this.#stacks.lua = [];
    this.#space = null;
  }

  #row(text: string, line: number): void {
    const [, weight, rest = ''] = ROW.exec(text)!;
    const names = this.#header.numbers;
    const words = rest.split(' ');
    const numbers: Partial<Record<KeyNumber, number>> = {};
    for (const [index, name] of names.entries()) numbers[name] = Number(words[index]);
    if (words.length < names.length || names.some((name) => !Number.isSafeInteger(numbers[name]))) {
      this.#reset();
      return this.#skip(line);
    }
    const { kernel, user } = this.#stacks;
    const lua = this.#lua.stack(this.#stacks.lua);
    if ([kernel, user, lua].some(({ length }) => length >= this.#header.depth)) {
      this.#builder.diagnostics.add(
        'truncated-stacks',
        `Stacks of more than ${this.#header.depth} frames lack their outermost callers.`,
      );
    }
    const native = [...this.#withoutProbe(kernel), ...user];
    const lines = this.#header.isLua ? interleaveLuaFrames(native, lua) : native;
    const comm = words.slice(names.length).join(' ');
    this.#samples.add(
      { numbers, comm, weight: Number(weight) },
      lines.map((one) => this.#frame(one)),
    );
    this.#reset();
  }

  /** A tracepoint's stack begins in the probe itself, and SystemTap prints the innermost frame twice. */
  #withoutProbe(lines: readonly string[]): readonly string[] {
    const { module } = this.#header;
    const first = module === '' ? 0 : lines.findIndex((line) => !line.includes(`[${module}`));
    if (first < 0) return lines;
    return lines[first] === lines[first + 1] ? lines.slice(first + 1) : lines.slice(first);
  }

  #frame(line: string): FrameIndex {
    const [address = ''] = line.split(' ', 1);
    if (BARE.test(line)) return this.#frameOf(this.#named.get(address) ?? line);
    this.#named.set(address, line);
    return this.#frameOf(line);
  }

  #skip(line: number): void {
    this.#builder.diagnostics.add('skipped-line', 'Lines outside of any stack were skipped.', { first: { line } });
  }

  #readTotal(fields: ReadonlyMap<string, string>): void {
    const read = (name: string): number | null =>
      /^\d{1,19}$/.test(fields.get(name) ?? '') ? Number(fields.get(name)) : null;
    this.#samples.total = read('total');
    this.#samples.durationNs = read('nanoseconds');
  }
}
