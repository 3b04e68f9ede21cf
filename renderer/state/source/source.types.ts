import type { FunctionIndex } from '#core/model/brand.ts';

/** Display options of source and code. */
export interface SourceLook {
  readonly page: 'lines' | 'instructions';
  /** If true, perf resolves the source line of each instruction. */
  readonly lookUp: boolean;
  /**
   * If true, functions are disassembled when they are selected, because the user has confirmed the command for one of
   * them.
   */
  readonly runsAtOnce: boolean;
}

export const INITIAL_SOURCE_LOOK: SourceLook = { page: 'lines', lookUp: true, runsAtOnce: false };

/** Identifies a function of a capture for the engine. */
export interface CaptureFunction {
  readonly captureId: string;
  readonly func: FunctionIndex;
}
