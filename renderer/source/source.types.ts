import type { FunctionIndex } from '#core/model/brand.ts';

/** What the source lines of a function weigh in a view; see core/analyze/source-lines.ts. */
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

/** How the user looks at source and code. */
export interface SourceLook {
  readonly page: 'lines' | 'instructions';
  /** Have perf look up the source line of each instruction. */
  readonly lookUp: boolean;
  /** Functions are disassembled as they are picked: the user ran the command for one of them. */
  readonly runsAtOnce: boolean;
}

export const INITIAL_SOURCE_LOOK: SourceLook = { page: 'lines', lookUp: true, runsAtOnce: false };

/** A function of a capture, as the engine finds it. */
export interface CaptureFunction {
  readonly captureId: string;
  readonly func: FunctionIndex;
}
