import type { LoadError } from '../../contract/load/result.ts';

/** Classifies the words of Go’s HTTP client for a failure. */
export function goFailure(detail: string, count: number): LoadError {
  const kind = /timeout|deadline exceeded/i.test(detail)
    ? 'timeout'
    : /dial tcp|lookup /.test(detail)
      ? 'connect'
      : /EOF|reset by peer|read tcp/.test(detail)
        ? 'read'
        : /broken pipe|write tcp/.test(detail)
          ? 'write'
          : 'other';
  return { kind, detail: detail.slice(0, 200), count };
}
