import type { FrameIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import type { FunctionKey } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { AddressSpace } from '../perf-data/spaces.ts';
import { splitCells } from '../text/csv-cells.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { MAX_CODE_BYTES, V8CodeMap } from './code-map.ts';
import { isScriptTag, v8LogFunction } from './log-function.ts';
import { V8LogProfile } from './log-profile.ts';

/** The tier that runs a piece of code, by its mark. Source: Profile.parseState in tools/profile.mjs of V8. */
const TIERS: ReadonlyMap<string, string> = new Map([
  ['~', 'Ignition'],
  ['^', 'Sparkplug'],
  ['+', 'Maglev'],
  ['*', 'TurboFan'],
]);

interface Code {
  readonly func: FunctionKey;
  readonly isScript: boolean;
  readonly tier: string | null;
  /** Frame of the first sample in it; most code has none. */
  frame: FrameIndex | null;
}

/** Fields of a tick. Source: TickProcessor.processTick in tools/tickprocessor.mjs of V8. */
const [PC, TIME, IS_EXTERNAL, TOP, STATE, STACK] = [1, 2, 3, 4, 5, 6];

export class V8LogSession implements LineSession {
  readonly #profile = new V8LogProfile();
  readonly #note = this.#profile.builder.diagnostics.atLine;
  readonly #code = new V8CodeMap<Code>();
  readonly #libraries = new AddressSpace();
  readonly #libraryNames: string[] = [];
  #isQuoted: boolean | null = null;
  #version: readonly string[] = [];
  #platform: string | null = null;
  #interval = Number.NaN;

  finish(lastLine: number): Profile {
    if (this.#profile.builder.sampleCount === 0) {
      throw malformed('a log of V8 without a tick; record it with `node --prof`', lastLine);
    }
    const [major, minor, build, patch, suffix = ''] = this.#version;
    const rate = 1e6 / this.#interval;
    return this.#profile.finish({
      format: 'v8-prof-log',
      toolVersion: major === undefined ? null : `${[major, minor, build, patch].join('.')}${suffix}`,
      kernel: this.#platform,
      rateHz: Number.isFinite(rate) && !this.#isOld ? rate : null,
    });
  }

  /** From before V8 6: quoted names, other states, intervals in milliseconds. */
  get #isOld(): boolean {
    return this.#isQuoted === true || Number(this.#version[0] ?? 6) < 6;
  }

  line(line: TextLine): void {
    const { text } = line;
    const type = text.slice(0, Math.max(0, text.indexOf(',')));
    switch (type) {
      case 'tick':
        return this.#tick(text.split(','), line);
      case 'code-creation':
        return this.#create(this.#split(line), line.number);
      case 'code-move':
        return this.#move(text.split(','), line.number);
      case 'code-delete':
        return this.#delete(text.split(','), line.number);
      case 'shared-library':
        return this.#library(this.#split(line), line.number);
      case 'v8-version':
        this.#version = text.split(',').slice(1);
        return;
      case 'v8-platform':
        this.#platform = text.split(',')[1] ?? null;
        return;
      case 'profiler':
        if (/^profiler,"?begin"?,/.test(text)) this.#interval = Number(text.split(',')[2]);
        return;
      default:
        if (text === '' || text === 'shared-library-end') return;
        if (/^[a-z][a-z0-9-]*$/.test(type)) return this.#note('other-records', OTHER_RECORDS, line.number, 'info');
        return this.#skip(line.number);
    }
  }

  /** The first name shows whether names are quoted. */
  #split({ text }: TextLine): string[] {
    this.#isQuoted ??= /^shared-library,"|^code-creation,.*,"/.test(text);
    return splitV8Record(text, this.#isQuoted);
  }

  #tick(fields: readonly string[], { number, isUnfinished }: TextLine): void {
    if (isUnfinished) return this.#note('truncated-input', 'The log ends within a tick, which was skipped.', number);
    const isExternal = fields[IS_EXTERNAL] === '1';
    const pc = parseAddress(isExternal ? fields[TOP] : fields[PC]);
    if (pc === null || fields.length < STACK) return this.#skip(number);
    // If V8 was in a callback, the counter is in the callback's own code; the callback itself is what was called.
    const addresses = [pc];
    const top = isExternal ? 0 : (parseAddress(fields[TOP]) ?? 0);
    // A function that had no frame of its own yet.
    if (this.#code.find(top)?.isScript === true) addresses.push(top);
    this.#addCallers(addresses, fields, number);
    const frames = addresses.map((address) => this.#frame(address));
    const time = /^\d+$/.test(fields[TIME]!) ? Number(fields[TIME]) : Number.NaN;
    const innermost = addresses.map((address) => this.#code.find(address)).find((code) => code?.isScript === true);
    const tick = { time, vmState: Number(fields[STATE]), tier: innermost?.tier ?? null };
    this.#profile.sample(frames, tick, this.#isOld);
  }

  /** Addresses are absolute, or differences from the previous one. */
  #addCallers(addresses: number[], fields: readonly string[], line: number): void {
    let before = addresses[0]!;
    for (let at = STACK; at < fields.length; at++) {
      const text = fields[at]!;
      const isDifference = text.startsWith('+') || text.startsWith('-');
      const address = isDifference ? before + Number.parseInt(text, 16) : parseAddress(text);
      if (text === 'overflow') {
        this.#note('lost-samples', 'V8’s buffer was full: ticks before these are missing.', line);
      } else if (address === null || !(address >= 0)) {
        this.#note('skipped-frame', 'Frames whose addresses can’t be read were skipped.', line);
      } else {
        addresses.push(address);
        if (isDifference) before = address;
      }
    }
  }

  #frame(address: number): FrameIndex {
    const code = this.#code.find(address);
    if (code !== null) return (code.frame ??= this.#profile.frame(code.func));
    const library = this.#libraries.find(address);
    return this.#profile.unresolved(library === null ? '' : this.#libraryNames[library.module]!, address);
  }

  /**
   * Parses `code-creation,tag,kind,[microseconds,]0xaddress,size,name[,0xfunction,state]`; the oldest logs have no kind
   * either.
   */
  #create(fields: readonly string[], line: number): void {
    const at = fields.findIndex((field, row) => row >= 2 && row <= 4 && field.startsWith('0x'));
    const start = parseAddress(fields[at]);
    const size = Number(fields[at + 1]);
    const name = fields[at + 2];
    if (start === null || !(size >= 0) || size > MAX_CODE_BYTES || name === undefined) return this.#skip(line);
    const [tag = '', tier = null] = [fields[1], TIERS.get(fields[at + 4] ?? '')];
    this.#code.add(start, size, { func: v8LogFunction(tag, name), isScript: isScriptTag(tag), tier, frame: null });
  }

  #move([, from, to]: readonly string[], line: number): void {
    const [start, place] = [parseAddress(from), parseAddress(to)];
    if (start === null || place === null) return this.#skip(line);
    if (!this.#code.move(start, place)) this.#note('unknown-code', UNKNOWN_CODE, line, 'info');
  }

  #delete([, address]: readonly string[], line: number): void {
    const start = parseAddress(address);
    if (start === null) return this.#skip(line);
    if (!this.#code.delete(start)) this.#note('unknown-code', UNKNOWN_CODE, line, 'info');
  }

  #library([, name = '', from, to]: readonly string[], line: number): void {
    const [start, end] = [parseAddress(from), parseAddress(to)];
    if (start === null || end === null) return this.#skip(line);
    this.#libraries.map({ start, end, shiftHigh: 0, shiftLow: 0, module: this.#libraryNames.push(name) - 1 });
  }

  #skip(line: number): void {
    this.#note('skipped-line', 'Lines that are not V8 log records were skipped.', line);
  }
}

const OTHER_RECORDS = 'Records of memory, sources and similar are not shown.';
const UNKNOWN_CODE = 'Code that the log does not describe was moved or deleted.';

/** Returns null if it is not an address, or not exact. */
function parseAddress(text: string | undefined): number | null {
  if (text === undefined || !/^(?:0x)?[0-9a-f]+$/i.test(text)) return null;
  const address = Number.parseInt(text, text.startsWith('0x') ? 16 : 10);
  return Number.isSafeInteger(address) ? address : null;
}

/**
 * Splits a line of V8's log into fields. Commas and line ends in names are escaped (`\x2C`, `\n`, `\u0041`, `\\`);
 * before V8 6 names were quoted instead, with doubled quotes. Source: src/logging/log-file.cc of V8 and
 * tools/csvparser.mjs.
 */
function splitV8Record(line: string, isQuoted: boolean): string[] {
  const fields = (isQuoted ? splitCells(line, ',') : null) ?? line.split(',');
  return line.includes('\\') ? fields.map(unescapeField) : fields;
}

const ESCAPE = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(n)|(\\))/g;

function unescapeField(field: string): string {
  return field.replace(ESCAPE, (_, byte?: string, unit?: string, newline?: string) => {
    const code = byte ?? unit;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return newline === undefined ? '\\' : '\n';
  });
}
