import { CompareRefusal, ImportFailure, type FailureClass } from '#core/model/failure.ts';
import type { Failure } from './answer.ts';

/** An error inside the worker that the window receives as a {@link Failure}. */
export class RequestFailure extends Error {
  readonly code: string;
  readonly remedy: string | null;

  constructor(code: string, message: string, remedy: string | null = null) {
    super(message);
    this.name = 'RequestFailure';
    this.code = code;
    this.remedy = remedy;
  }
}

const REMEDIES: Readonly<Record<FailureClass, string>> = {
  unrecognized:
    'Flamebench detects profiles from perf, pprof, SystemTap, browsers and many other tools by content, also inside gzip and zstd. If it is one of these, choose the format by hand.',
  malformed: 'The file looks truncated or edited: save or record it again, or choose another format by hand.',
  unsupported: 'Save it again in a format that Flamebench reads.',
  'too-large': 'Record for a shorter time or at a lower rate.',
};

/** Why a script could not be loaded on demand: the engine is gone, or was replaced by another version. */
export const MISSING_SCRIPT: Failure = {
  code: 'connection-lost',
  message: 'a part of Flamebench could not be loaded: the engine was stopped or updated',
  location: null,
  remedy: 'Reload this page; if that fails, restart Flamebench.',
  details: null,
};

/** Returns whether an error is a browser's about `import()`. */
export const isMissingScript = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|Importing a module script failed/.test(error.message);

export function describeError(error: unknown): Failure {
  if (error instanceof ImportFailure) {
    const { failure, message, location, tool } = error;
    return {
      code: tool ?? failure,
      message,
      location,
      remedy: tool === null ? REMEDIES[failure] : null,
      details: null,
    };
  }
  if (error instanceof RequestFailure) {
    return { code: error.code, message: error.message, location: null, remedy: error.remedy, details: null };
  }
  if (isMissingScript(error)) return MISSING_SCRIPT;
  if (error instanceof CompareRefusal) return describeRefusal(error.message);
  const known = error instanceof Error ? error : new Error(String(error));
  const outOfMemory = known instanceof RangeError && /allocation|array length|string length/i.test(known.message);
  return {
    code: outOfMemory ? 'too-large' : 'internal',
    message: outOfMemory
      ? 'this profile needs more memory than the page may use'
      : `internal error while reading: ${known.message}`,
    location: null,
    remedy: outOfMemory ? REMEDIES['too-large'] : 'Please report it with the details.',
    details: known.stack ?? null,
  };
}

/** Splits the text of a refusal: what follows the last semicolon is the remedy. */
function describeRefusal(text: string): Failure {
  const [, what, remedy] = /^(.*); (.*)$/s.exec(text) ?? [];
  return {
    code: 'refused',
    message: what ?? text,
    location: null,
    remedy: remedy === undefined ? null : `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`,
    details: null,
  };
}
