import { refuseDeepJson } from '../../model/failure.ts';
import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { FunctionKind } from '../../model/profile.ts';
import type { LegacySample, LegacyStacks } from './stacks.ts';
import type { TextLine } from '../text/text-lines.ts';

const LABELS = /^# labels: (\{.*\})$/;
const ADDRESS = /^0x[0-9a-f]{1,16}$/i;
const MAX_COMMENTS = 100;
const MAX_COMMENT_LENGTH = 1000;

/** Frames that Go's own text leaves out: its runtime's functions at the leaf, and `runtime.goexit` at the root. */
export const HIDDEN_RUNTIME = '[runtime]';

/**
 * The `#` lines that Go writes below a sample: the names of its addresses, and its labels (net/http/pprof with
 * `debug=1`).
 */
export class GoComments {
  /** Lines that do not refer to a sample. */
  readonly comments: string[] = [];
  readonly #stacks: LegacyStacks;
  readonly #note: DiagnosticCounter['atLine'];
  /** Index of the first location of a sample that Go wrote; −1 if it is none of them. */
  readonly #firstNamed = new Map<LegacySample, number>();
  /** Rows for which Go has no name. */
  readonly #nameless = new Set<number>();

  constructor(stacks: LegacyStacks, diagnostics: DiagnosticCounter) {
    this.#stacks = stacks;
    this.#note = diagnostics.atLine;
  }

  /** Whether Go named some of the addresses. */
  get hasNames(): boolean {
    return this.#firstNamed.size > 0;
  }

  addLine(line: TextLine): void {
    const symbol = symbolOf(line.text);
    if (symbol !== null) {
      if (!this.#symbol(symbol) && symbol.name !== '')
        this.#note('skipped-name', 'Names of addresses without samples were skipped.', line.number, 'info');
      return;
    }
    const labels = LABELS.exec(line.text)?.[1];
    if (labels !== undefined && this.#labels(labels)) return;
    const text = line.text.slice(1).trim();
    if (text === '') return;
    if (this.comments.length < MAX_COMMENTS) this.comments.push(text.slice(0, MAX_COMMENT_LENGTH));
    else {
      const message = `Comments after the first ${MAX_COMMENTS} were skipped.`;
      this.#note('comments-left-out', message, line.number, 'info');
    }
  }

  /** Names the frames that Go left out. */
  finish(): void {
    const { names } = this.#stacks;
    for (const [{ locations }, first] of this.#firstNamed) {
      if (first < 0) continue;
      locations.forEach((row, at) => {
        if (names.has(row) || this.#nameless.has(row)) return;
        const func =
          at < first
            ? { name: HIDDEN_RUNTIME, module: 'runtime', kind: FunctionKind.unresolved }
            : { name: 'runtime.goexit', kind: FunctionKind.user };
        names.set(row, { func, line: 0 });
      });
    }
  }

  /** Returns false if no sample has the address. */
  #symbol({ address, name, file, line }: GoSymbol): boolean {
    const row = this.#stacks.rowOf(address);
    const sample = this.#stacks.samples.at(-1);
    if (sample === undefined || row < 0) return false;
    if (!this.#firstNamed.has(sample)) this.#firstNamed.set(sample, sample.locations.indexOf(row));
    if (name === '') this.#nameless.add(row);
    else this.#stacks.names.set(row, { func: { name, file, kind: FunctionKind.user }, line });
    return true;
  }

  /** Returns false if they are not in Go's format. */
  #labels(json: string): boolean {
    const sample = this.#stacks.samples.at(-1);
    if (sample === undefined) return false;
    refuseDeepJson(json);
    try {
      const parsed: unknown = JSON.parse(json);
      const labels = Object.entries(parsed as Readonly<Record<string, unknown>>).flatMap(([key, text]) =>
        typeof text === 'string' ? [{ key, text }] : [],
      );
      sample.labels = [...(sample.labels ?? []), ...labels];
      return labels.length > 0;
    } catch {
      return false;
    }
  }
}

interface GoSymbol {
  readonly address: bigint;
  /** Empty if Go knows none. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** Parses `#	0x4dcddd	main.fill+0x17d		/srv/main.go:25`; null if the line has another form. */
function symbolOf(text: string): GoSymbol | null {
  const [mark, address = '', symbol = '', place = ''] = text.split('\t').filter((cell) => cell !== '');
  if (mark !== '#' || !ADDRESS.test(address)) return null;
  const offset = symbol.lastIndexOf('+0x');
  const colon = place.lastIndexOf(':');
  return {
    address: BigInt(address),
    name: offset < 0 ? symbol : symbol.slice(0, offset),
    file: colon < 0 ? place : place.slice(0, colon),
    line: colon < 0 ? 0 : Number(place.slice(colon + 1)),
  };
}
