/** A tolerated oddity or a fact about data quality. Nothing is skipped without one. */
export interface Diagnostic {
  /** Stable kebab-case id: `skipped-line`, `lost-samples`, `unresolved-frames`… */
  readonly code: string;
  readonly severity: 'info' | 'warning';
  /** One sentence for the user, without the count. */
  readonly message: string;
  /** Number of occurrences (for shares: number of frames or samples). */
  readonly count: number;
  /** First occurrence. */
  readonly first: SourceLocation | null;
  /** The remedy, in one sentence. */
  readonly remedy: string | null;
  /**
   * Times of the occurrences, if the input states them; at most {@link MAX_MOMENTS}, the first ones. Absent otherwise.
   */
  readonly moments?: readonly Occurrence[];
}

/** Returns a diagnostic: unless `more` says otherwise, one warning without a location and remedy. */
export const diagnostic = (
  code: string,
  message: string,
  more: Partial<Omit<Diagnostic, 'code' | 'message'>> = {},
): Diagnostic => ({ code, severity: 'warning', message, count: 1, first: null, remedy: null, ...more });

/** An event that the input reports, with its time. */
export interface Occurrence {
  /**
   * Nanoseconds on the source's own clock, like `metadata.timeOrigin`; decimal, because diagnostics are written as
   * JSON.
   */
  readonly clock: string;
  /** Text of the input, one line. */
  readonly text: string;
}

/** More than anyone reads one by one. */
const MAX_MOMENTS = 1000;

export interface SourceLocation {
  /** 1-based. */
  readonly line?: number;
  /** Offset into the unwrapped (decompressed) input, 0-based. */
  readonly byte?: number;
}

/** Counts diagnostics by code and keeps the first location of each. */
export class DiagnosticCounter {
  readonly #byCode = new Map<string, Diagnostic>();

  add(code: string, message: string, options: Partial<Omit<Diagnostic, 'code' | 'message'>> = {}): void {
    const known = this.#byCode.get(code);
    const count = (known?.count ?? 0) + (options.count ?? 1);
    this.#byCode.set(code, {
      code,
      severity: options.severity ?? 'warning',
      message: known?.message ?? message,
      count,
      first: known === undefined ? (options.first ?? null) : known.first,
      remedy: known?.remedy ?? options.remedy ?? null,
      ...joinedMoments(known?.moments, options.moments),
    });
  }

  /** Adds a diagnostic at a line, 1-based. Bound, so that importers can keep it. */
  readonly atLine = (code: string, message: string, line: number, severity: Diagnostic['severity'] = 'warning'): void =>
    this.add(code, message, { severity, first: { line } });

  list(): Diagnostic[] {
    return [...this.#byCode.values()];
  }
}

function joinedMoments(
  before: readonly Occurrence[] | undefined,
  more: readonly Occurrence[] | undefined,
): { moments?: readonly Occurrence[] } {
  if (more === undefined || more.length === 0) return before === undefined ? {} : { moments: before };
  if (before !== undefined && before.length >= MAX_MOMENTS) return { moments: before };
  return { moments: [...(before ?? []), ...more].slice(0, MAX_MOMENTS) };
}
