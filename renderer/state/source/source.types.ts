import type { FunctionIndex } from '#core/model/brand.ts';

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
