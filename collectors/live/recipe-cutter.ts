import type { LiveSpan } from '#core/live/live-store.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import type { CutText, TextCutter } from './text-feed.ts';

const NEWLINE = 0x0a;
/** Nanoseconds between two prints. */
const SECOND = 1_000_000_000n;
/** Most bytes held between two prints: a hundred times what full maps print. */
const MAX_HELD_BYTES = 64 << 20;
/** Maximum number of addresses whose names are kept, about 20 MB. */
const MAX_NAMED = 100_000;
/** Without a print for this long, the machine or the script stood still. */
const STILL = 3n * SECOND;

const HEADER = /^# flamebench (?:map=|stap )/;
/** A second's rows are complete; bpftrace numbers them, and prints the last ones again at the end. */
const PRINTED = /^# flamebench printed(?:=(-?\d{1,16}))? at=(\d{1,20})$/;
/** The weight of the whole recording, which a script prints at its end. */
const TOTAL = /^(?:@total: |# flamebench total=)(\d{1,19})\b/;
/** Lines at the end that describe the whole. */
const OF_WHOLE = /^# flamebench nanoseconds=/;

/** Cuts the output of a recipe of bpftrace or SystemTap into the rows of each print. */
export interface RecipeCutter extends TextCutter {
  /** Weight that the script counted and the rows lack, because a map was full; 0 before the script's end. */
  readonly lost: number;
}

export interface RecipeOutput {
  /** The last line of a row, with its weight. */
  readonly row: RegExp;
  /** The script prints each second, even without rows. Otherwise with the next event after a second. */
  readonly isPeriodic: boolean;
  /** A frame: its address, and its name unless it has none. Absent if frames have no addresses. */
  readonly frame?: RegExp;
}

export function createRecipeCutter(
  { row, isPeriodic, frame }: RecipeOutput,
  maxHeldBytes: number = MAX_HELD_BYTES,
): RecipeCutter {
  let head: Uint8Array | null = null;
  let total: number | null = null;
  let unfinished: Uint8Array[] = [];
  /** Lines of the current print. */
  let lines: Uint8Array[] = [];
  let weights: number[] = [];
  /** Bytes of what is held: the current print and its unfinished line. */
  let held = 0;
  /** Too much was held: the rest of the print is left out. */
  let isCut = false;
  let kept = 0;
  /** Number of the newest print, and its time. */
  let turn = -Infinity;
  let printedAt: bigint | null = null;
  /** Lines of frames with a name, by address: the last print, outside of the process, has addresses only. */
  const named = new Map<string, Uint8Array>();

  function withName(line: Uint8Array, text: string): Uint8Array {
    const [, address, name] = frame?.exec(text) ?? [];
    if (address === undefined) return line;
    if (name === undefined || name === address) return named.get(address) ?? line;
    if (named.size < MAX_NAMED) named.set(address, line);
    return line;
  }

  function spanTo(end: bigint): LiveSpan {
    const last = printedAt ?? end - SECOND;
    const isStill = isPeriodic && end - last > STILL;
    return { start: isStill ? end - SECOND : last, end };
  }

  function forget(): void {
    lines = [];
    weights = [];
    held = 0;
  }

  /** Drops the rows of a print that is too long, which the script's sum counts as lost. */
  function bound(): CutText[] {
    if (held <= maxHeldBytes) return [];
    forget();
    unfinished = [];
    const isKnown = isCut;
    isCut = true;
    return isKnown ? [] : [{ chunks: [], span: null, problem: TOO_LONG }];
  }

  function read(line: Uint8Array): CutText | null {
    const text = new TextDecoder().decode(line).replace(/\r?\n$/, '');
    if (head === null) {
      if (HEADER.test(text)) head = line;
      return null;
    }
    const all = TOTAL.exec(text)?.[1];
    if (all !== undefined) total = Number(all);
    if (all !== undefined || OF_WHOLE.test(text)) return null;
    if (!isCut) lines.push(withName(line, text));
    const weight = row.exec(text)?.[1];
    if (weight !== undefined && !isCut) weights.push(Number(weight));
    const [isPrinted, number, at = ''] = PRINTED.exec(text) ?? [];
    if (isPrinted === undefined) return null;
    const cut = weights.length > 0 && !isCut ? lines : [];
    const sum = isCut ? 0 : weights.reduce((before, one) => before + one, 0);
    forget();
    isCut = false;
    if (number !== undefined && Number(number) <= turn) return null;
    turn = number === undefined ? turn : Number(number);
    kept += sum;
    const end = BigInt(at);
    const span = spanTo(end);
    // A clock that went back, which a hostile output may claim.
    if (span.start >= end)
      return cut.length === 0 ? null : { chunks: [joinBytes(cut)], span: { start: end - 1n, end } };
    printedAt = end;
    return { chunks: cut.length === 0 ? [] : [joinBytes(cut)], span };
  }

  return {
    get head() {
      return head;
    },
    get lost() {
      return total === null ? 0 : Math.max(0, total - kept);
    },
    push(chunk) {
      const texts: CutText[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        held += at + 1 - from;
        const text = read(joinBytes([...unfinished, chunk.subarray(from, at + 1)]));
        unfinished = [];
        from = at + 1;
        if (text !== null) texts.push(text);
        texts.push(...bound());
      }
      if (from < chunk.length) unfinished.push(chunk.subarray(from));
      held += chunk.length - from;
      return [...texts, ...bound()];
    },
  };
}

const TOO_LONG =
  'The rows of a second are too many to hold and were left out; a lower rate, or a narrower recipe, has fewer.';
