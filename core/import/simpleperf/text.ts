import type { FrameIndex, FunctionIndex } from '../../model/brand.ts';
import type { SourceLocation } from '../../model/diagnostics.ts';
import { malformed, type ImportFailure } from '../../model/failure.ts';
import type { Profile } from '../../model/profile.ts';
import { simpleperfFunction, SimpleperfSamples } from './samples.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';

const BLOCKS = ['meta_info', 'sample', 'context_switch', 'lost_situation'] as const;
type Block = (typeof BLOCKS)[number];
const FIELD = /^( *)([a-z_]+):(?: (.*))?$/s;
const JAVA_CODE = /^(?:interpreted|jit)_jvm_method$/;

interface Frame {
  readonly address: bigint;
  file: string;
  symbol: string;
  isJava: boolean;
}

export class SimpleperfTextSession implements LineSession {
  readonly #samples = new SimpleperfSamples();
  readonly #note = this.#samples.builder.diagnostics.atLine;
  readonly #functions = new Map<string, FunctionIndex>();
  readonly #comments: string[] = [];
  #block: Block | null = null;
  /** Fields of the current block. */
  #fields = new Map<string, string>();
  #frames: Frame[] = [];
  #first: SourceLocation = {};
  #lostCount = 0;
  #contextSwitches = 0;
  #hasEnd = false;

  finish(lastLine: number): Profile {
    this.#endBlock();
    const { builder } = this.#samples;
    if (builder.sampleCount === 0) throw malformed('simpleperf: the report holds no samples; record again', lastLine);
    this.#samples.diagnose(this.#lostCount, this.#contextSwitches);
    if (!this.#hasEnd) {
      builder.diagnostics.add('truncated-input', 'The report lacks its end: the last stack may be truncated.', {
        first: { line: lastLine },
        remedy: 'Copy the whole output of simpleperf.',
      });
    }
    return this.#samples.finish('simpleperf-text', this.#comments);
  }

  line({ text, number }: TextLine): void {
    const [, indent = '', name = '', value = ''] = FIELD.exec(text) ?? [];
    const block = BLOCKS.find((each) => each === name);
    if (indent === '' && block !== undefined) {
      this.#endBlock();
      [this.#block, this.#first] = [block, { line: number }];
    } else if (this.#block === 'meta_info' && name === 'event_type') this.#samples.event(value);
    else if (this.#block === 'sample' && /^(?:vaddr_in_file|file|symbol|execution_type)$/.test(name)) {
      this.#frameField(name, value, number);
    } else if (this.#block !== null && indent !== '') this.#fields.set(name, value);
    else if (text.trim() !== '') this.#note('skipped-line', 'Lines outside of any block were skipped.', number);
  }

  #frameField(name: string, value: string, line: number): void {
    const frame = this.#frames.at(-1);
    if (name === 'vaddr_in_file') {
      if (!/^[0-9a-f]{1,16}$/.test(value)) throw noNumber(name, line);
      this.#frames.push({ address: BigInt(`0x${value}`), file: '', symbol: '', isJava: false });
    } else if (frame === undefined) this.#note('skipped-line', 'Lines outside of any block were skipped.', line);
    else if (name === 'file') frame.file = value;
    else if (name === 'symbol') frame.symbol = value;
    else frame.isJava = JAVA_CODE.test(value);
  }

  #endBlock(): void {
    const fields = this.#fields;
    if (this.#block === 'sample') this.#addSample(fields);
    else if (this.#block === 'context_switch') this.#contextSwitches += 1;
    else if (this.#block === 'lost_situation') {
      this.#lostCount = Number(this.#number('lost_count'));
      this.#hasEnd = true;
    } else if (this.#block === 'meta_info') {
      const [app, android] = [fields.get('app_package_name') ?? '', fields.get('android_sdk_version') ?? ''];
      if (app !== '') this.#comments.push(`App: ${app}`);
      if (android !== '') this.#comments.push(`Android API level: ${android}`);
    }
    this.#block = null;
    this.#fields = new Map();
    this.#frames = [];
  }

  #addSample(fields: ReadonlyMap<string, string>): void {
    const { builder } = this.#samples;
    this.#samples.add({
      time: this.#number('time'),
      thread: builder.thread(-1, Number(this.#number('thread_id')), fields.get('thread_name') ?? ''),
      event: this.#samples.event(fields.get('event_type') ?? ''),
      count: this.#number('event_count'),
      leafFirst: this.#frames.map((frame) => this.#frame(frame)),
      first: this.#first,
    });
  }

  #frame({ address, file, symbol, isJava }: Frame): FrameIndex {
    const key = `${file}\n${symbol}\n${isJava}`;
    let func = this.#functions.get(key);
    if (func === undefined) {
      const base = file.slice(file.lastIndexOf('/') + 1);
      const isUnknown = /\[\+[0-9a-f]+\]$/.test(symbol) && symbol.replace(/^\*/, '').startsWith(`${base}[+`);
      func = this.#samples.builder.function(simpleperfFunction(file, isUnknown ? '' : symbol, isJava));
      this.#functions.set(key, func);
    }
    return this.#samples.builder.frame({ func, address });
  }

  /** Returns a field of the current block; 0 if it is cut off. */
  #number(name: string): bigint {
    const text = this.#fields.get(name);
    if (text === undefined) {
      this.#note('missing-field', 'Blocks lack a number, which counts as 0.', this.#first.line ?? 0);
      return 0n;
    }
    if (!/^\d{1,20}$/.test(text)) throw noNumber(name, this.#first.line ?? 0);
    return BigInt(text);
  }
}

function noNumber(field: string, line: number): ImportFailure {
  return malformed(`simpleperf: ${field} is not a number; write the report again`, line);
}
