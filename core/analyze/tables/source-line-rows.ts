/** What the source lines of a function weigh in a view; see core/analyze/tables/source-lines.ts. */
export interface SourceLineRows {
  readonly length: number;
  /** Names of the files that the lines are in; one may be empty: not known. */
  readonly files: readonly string[];
  /** → files */
  readonly file: Int32Array;
  /** → the profile's functions: one that has the line. */
  readonly func: Int32Array;
  /** 1-based; 0: not known. */
  readonly line: Int32Array;
  /** In the value type's unit. */
  readonly self: Float64Array;
  readonly total: Float64Array;
}
