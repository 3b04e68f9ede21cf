import type { FrameIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Label, Profile } from '../../model/profile.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine, type LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';

/** Go's dump of every goroutine: `/debug/pprof/goroutine?debug=2`, a panic, SIGQUIT. */
export const goroutinesImporter: Importer = {
  id: 'goroutines',
  label: 'Go goroutines with states',
  extensions: ['txt', 'goroutines'],
  keeps:
    'goroutines with stacks, files and lines; state, locked to thread and creator as labels; minutes waited as weight',
  loses: 'arguments of calls, ids of goroutines, offsets in functions; waits below a minute, which Go does not print',
  recognizedBy: '`goroutine 17 [select, 5 minutes]:` before the first stack',
  specification: 'https://pkg.go.dev/runtime/debug#PrintStack',
  sniff: sniffGoroutines,
  start: () => byLine(new GoroutineSession()),
};

/** Newer runtimes print `gp=0xc000002380 m=0 mp=0x…` in between. */
const HEADER = /^goroutine (\d+)(?: \w+=\S+){0,4} \[([^\]\n]*)\]:$/;
const IN_HEAD = /(?:^|\n)goroutine \d+(?: \w+=\S+){0,4} \[[^\]\n]+\]:\r?\n/;
const FILE = /^\t(.+):(\d+)(?: \+0x[0-9a-f]+)?(?: .*)?$/;
const CREATED = /^created by (.+?)(?: in goroutine \d+)?$/;
const WAITED = /^(\d{1,12}) minutes?$/;
const MINUTE_NS = 60e9;
/** Lines in place of frames: `...additional frames elided...`, `...23 frames elided...`. */
const ELIDED = /^\.\.\..*frames elided\.\.\.$/;
const UNAVAILABLE = /^\s*goroutine (?:running on other thread|in C code); stack unavailable$/;

function sniffGoroutines({ text }: Head): SniffResult {
  return IN_HEAD.test(text) ? 'yes' : 'no';
}

interface OpenGoroutine {
  readonly labels: Label[];
  readonly waitNs: number;
  /** Leaf first. */
  readonly frames: FrameIndex[];
}

interface Call {
  readonly name: string;
  readonly isCreator: boolean;
  /** Its line number. */
  readonly number: number;
}

class GoroutineSession implements LineSession {
  readonly #builder = new ProfileBuilder(2);
  readonly #thread = this.#builder.thread(-1, -1, '');
  #open: OpenGoroutine | null = null;
  /** The function whose file is on the next line. */
  #call: Call | null = null;

  finish(lastLine: number): Profile {
    this.#close();
    if (this.#builder.sampleCount === 0) throw malformed('there is no goroutine', lastLine);
    return this.#builder.finish(
      [
        { type: 'goroutine', unit: 'count' },
        { type: 'wait', unit: 'nanoseconds' },
      ],
      { format: 'goroutines', tool: 'Go' },
    );
  }

  line({ text, number }: TextLine): void {
    const header = HEADER.exec(text);
    if (header !== null) {
      this.#close();
      this.#open = startGoroutine(header[2]!);
      return;
    }
    if (this.#open === null) {
      // A panic states its cause first; the rest of a log may follow a stack.
      if (text.trim() !== '') this.#skip(number);
      return;
    }
    if (text.trim() === '') this.#close();
    else if (ELIDED.test(text)) this.#note('truncated-stacks', 'Go left frames of deep stacks out.', number);
    else if (UNAVAILABLE.test(text)) this.#note('missing-stacks', 'Go had no stack of running goroutines.', number);
    else this.#frameLine(this.#open, text, number);
  }

  #frameLine(open: OpenGoroutine, text: string, number: number): void {
    const place = FILE.exec(text);
    if (place === null) {
      this.#dropCall();
      const creator = CREATED.exec(text);
      this.#call = { name: creator?.[1] ?? withoutArguments(text.trim()), isCreator: creator !== null, number };
    } else if (this.#call === null) this.#skip(number);
    else this.#addCall(open, this.#call, place[1]!, Number(place[2]));
  }

  #addCall(open: OpenGoroutine, { name, isCreator }: Call, file: string, line: number): void {
    this.#call = null;
    if (isCreator) open.labels.push({ key: 'created by', text: name });
    else open.frames.push(this.#builder.frame({ func: this.#builder.function({ name, file }), line }));
  }

  /** Every call has a line for its file; a line without one is not a call. */
  #dropCall(): void {
    if (this.#call !== null) this.#skip(this.#call.number);
    this.#call = null;
  }

  #close(): void {
    this.#dropCall();
    const open = this.#open;
    if (open === null) return;
    const stack = this.#builder.stackOf(open.frames);
    const labelSet = this.#builder.labelSet(open.labels);
    this.#builder.sample({ stack, thread: this.#thread, labelSet }, 1, open.waitNs);
    this.#open = null;
  }

  #skip(line: number): void {
    this.#note('skipped-line', 'Lines outside of any stack were skipped.', line);
  }

  #note(code: string, message: string, line: number): void {
    this.#builder.diagnostics.add(code, message, { severity: 'info', first: { line } });
  }
}

/** Parses `select, 12 minutes, locked to thread`. */
function startGoroutine(facts: string): OpenGoroutine {
  const [state = '', ...others] = facts.split(', ');
  const labels: Label[] = [{ key: 'state', text: state }];
  let waitNs = 0;
  for (const fact of others) {
    const minutes = WAITED.exec(fact)?.[1];
    if (minutes !== undefined) waitNs = Number(minutes) * MINUTE_NS;
    else if (fact === 'locked to thread') labels.push({ key: 'locked to thread', text: 'yes' });
  }
  return { labels, waitNs, frames: [] };
}

/** Returns the name before the last group of parentheses: `net/http.(*conn).serve`, `main.f[...]`. */
function withoutArguments(call: string): string {
  if (!call.endsWith(')')) return call;
  let depth = 0;
  for (let at = call.length - 1; at >= 0; at--) {
    if (call[at] === ')') depth += 1;
    else if (call[at] === '(') {
      depth -= 1;
      if (depth === 0) return at === 0 ? call : call.slice(0, at);
    }
  }
  return call;
}
