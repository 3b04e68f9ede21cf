import type { SourceLocation } from './diagnostics.ts';

/** Why an input is no profile: not ours at all, ours but broken, ours but of a variant we don't read, or beyond a stated limit. */
export type FailureClass = 'unrecognized' | 'malformed' | 'unsupported' | 'too-large';

/** Thrown by importers. `message` is one line: what, and what to do. `location` says where in the unwrapped input. */
export class ImportFailure extends Error {
  readonly failure: FailureClass;
  readonly location: SourceLocation | null;

  constructor(failure: FailureClass, message: string, location: SourceLocation | null = null) {
    super(message);
    this.name = 'ImportFailure';
    this.failure = failure;
    this.location = location;
  }
}

/** `malformed: message (line 12)`: the one line that the CLI and the window print. */
export function describeFailure(failure: ImportFailure): string {
  const { location } = failure;
  const where =
    location === null ? '' : location.line === undefined ? ` (byte ${location.byte ?? 0})` : ` (line ${location.line})`;
  return `${failure.failure}: ${failure.message}${where}`;
}
