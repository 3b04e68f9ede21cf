import type { RecordingOutcome, RecordingProgress } from './collector.ts';

/** The reason of a failed recording in one line, and the remedy. */
export type RecordingFailure = NonNullable<RecordingOutcome['error']>;

/** The meaning of one of a tool's messages. */
export interface Explanation extends RecordingFailure {
  readonly pattern: RegExp;
}

/** Returns the first explanation that matches; null if none does. */
export function explain(said: string, explanations: readonly Explanation[]): RecordingFailure | null {
  const found = explanations.find(({ pattern }) => pattern.test(said));
  return found === undefined ? null : { code: found.code, message: found.message, remedy: found.remedy };
}

/** Explains why a process is not recorded, one line each. */
export class RefusedRecording extends Error {
  /** Kebab-case id: `port-taken`. */
  readonly code: string;
  readonly remedy: string | null;
  constructor(code: string, message: string, remedy: string | null) {
    super(message);
    this.name = 'RefusedRecording';
    this.code = code;
    this.remedy = remedy;
  }
}

/** Converts an error. Errors of a sink or a connection may have a code and a remedy; see `CaptureSink`. */
export function toFailure(error: unknown): RecordingFailure {
  if (!(error instanceof Error)) return { code: 'internal', message: String(error), remedy: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'internal';
  const remedy = 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : null;
  if (code === 'ENOSPC') return { code: 'disk-full', message: 'the disk is full', remedy: remedy ?? 'free some space' };
  return { code, message: error.message, remedy };
}

/** Returns what is kept of a recording that could not be written to its end, and why: `kept` is an amount. */
export const describeLoss = (kept: string, { message }: RecordingFailure): string =>
  `Kept ${kept}; the rest is lost: ${message.replace(/\.$/, '')}.`;

export const isFinal = (state: RecordingProgress['state']): boolean =>
  state === 'finished' || state === 'failed' || state === 'cancelled';
