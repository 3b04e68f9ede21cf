/** Weights of a function's source lines in a view; see core/analyze/tables/source-lines.ts. */
export interface SourceLineRows {
  readonly length: number;
  /** Names of the files that contain the lines; an empty name is an unknown file. */
  readonly files: readonly string[];
  /** → files */
  readonly file: Int32Array;
  /** → the profile's functions: one that contains the line. */
  readonly func: Int32Array;
  /** 1-based; 0 if unknown. */
  readonly line: Int32Array;
  /** In the value type's unit. */
  readonly self: Float64Array;
  readonly total: Float64Array;
}
