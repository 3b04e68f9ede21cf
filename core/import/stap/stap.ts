import type { FrameIndex, ThreadIndex } from '../../model/brand.ts';
import { memo } from '../../model/memo.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { CountedStacks } from '../stacks/counted-stacks.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { isStapFrame, parseStapFrame } from './frame.ts';
import { readStapRecipeHeader, StapRecipeReader } from './recipe-output.ts';
import { byLine, type LineSession } from '../text/line-session.ts';
import { headLines, type TextLine } from '../text/text-lines.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';

/**
 * Backtraces that SystemTap scripts print, each followed by its number of occurrences: sample-bt, lj-lua-stacks, and
 * the like.
 */
export const stapImporter: Importer = {
  id: 'stap',
  label: 'SystemTap backtraces',
  extensions: ['bt', 'stap', 'txt'],
  keeps: 'stacks with addresses, modules, Lua files and lines, counts; warnings and errors of SystemTap',
  loses: 'nothing; only the output of Flamebench’s recipes has threads',
  recognizedBy:
    'frames (`0xADDRESS : symbol+0x… [module]`, or Lua’s `@file:line`), leaf first, then a line with a tab and a count',
  specification: 'https://github.com/openresty/openresty-systemtap-toolkit#sample-bt',
  sniff: sniffStap,
  start: () => byLine(new StapSession()),
};

const NO_COUNTS =
  'no stack is followed by its count; let the script print one (`print_stack`, then a tab and the count)';
const LOAD_SYMBOLS = 'Let stap load the symbols of the binaries: `stap -d PATH --ldd …`.';
const MAX_COMMENTS = 100;
const MAX_COMMENT_LENGTH = 1000;
const COUNT = /^[ \t]+(\d+)[ \t]*$/;
/** Messages of SystemTap and of the toolkits' scripts about their own run. */
const MESSAGE =
  /^(WARNING|ERROR|Pass \d|semantic error|Please wait|Found exact match|Start tracing|Tracing \d|Time's up)/;
/**
 * Other formats of stacks followed by counts: DTrace's frames contain a backtick, bcc's stacks end with the process.
 */
const FOREIGN = /`|^\s+-\s+\S.*\(\d+\)$|^@.*\[$/;

/** Yes if a stack with a line that looks like SystemTap's is followed by a tab and a count. */
function sniffStap({ text, complete }: Head): SniffResult {
  let frames = 0;
  let known = 0;
  let stacks = 0;
  for (const line of headLines(text, complete)) {
    if (line.trim() === '' || MESSAGE.test(line)) continue;
    if (readStapRecipeHeader(line) !== null) return 'yes';
    if (FOREIGN.test(line)) return 'no';
    if (!COUNT.test(line)) {
      frames += 1;
      if (isStapFrame(line.trim())) known += 1;
      continue;
    }
    if (frames === 0 || !line.startsWith('\t')) return 'no';
    stacks += 1;
    frames = 0;
  }
  return stacks > 0 && known > 0 ? 'yes' : 'no';
}

class StapSession implements LineSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #note = this.#builder.diagnostics.atLine;
  readonly #thread: ThreadIndex = this.#builder.thread(-1, -1, '');
  readonly #frame = memo((text: string): FrameIndex => {
    const { func, address } = parseStapFrame(text);
    return this.#builder.frame({ func: this.#builder.function(func), address });
  });
  readonly #stacks = new CountedStacks(this.#builder);
  /** Reads the output of a recipe of Flamebench, once its header has arrived. */
  #recipe: StapRecipeReader | null = null;
  /** Messages of SystemTap and of the script. */
  readonly #comments: string[] = [];

  finish(lastLine: number): Profile {
    if (this.#recipe !== null) return this.#recipe.finish();
    this.#stacks.finish(NO_COUNTS, lastLine, 'Check that the whole output of stap was saved.');
    const profile = this.#builder.finish([{ type: 'samples', unit: 'count' }], {
      format: 'stap',
      tool: 'SystemTap',
      comments: this.#comments,
    });
    return diagnoseUnresolved(profile, LOAD_SYMBOLS);
  }

  line(line: TextLine): void {
    if (this.#recipe !== null) return this.#recipe.line(line);
    const text = line.text.trim();
    if (text === '') return;
    const recipe = this.#builder.sampleCount === 0 ? readStapRecipeHeader(line.text) : null;
    if (recipe !== null) {
      this.#recipe = new StapRecipeReader(recipe);
      return;
    }
    if (MESSAGE.test(line.text)) return this.#message(line.text, line.number);
    const count = COUNT.exec(line.text)?.[1];
    if (count !== undefined) return this.#stacks.count(count, this.#thread, line);
    this.#stacks.frame(this.#frame(text), line.number);
  }

  #message(text: string, line: number): void {
    if (this.#comments.length < MAX_COMMENTS) this.#comments.push(text.slice(0, MAX_COMMENT_LENGTH));
    if (/^(?:ERROR|semantic error)/.test(text)) this.#note('stap-error', 'SystemTap reported errors.', line);
    else if (text.startsWith('WARNING')) this.#note('stap-warning', 'SystemTap reported warnings.', line, 'info');
  }
}
