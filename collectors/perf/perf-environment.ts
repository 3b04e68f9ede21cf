/**
 * What every perf runs with: messages in English, nobody's ~/.perfconfig (it may change what `perf script` prints), no downloads of
 * debug info in the middle of a recording.
 */
export const PERF_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  PERF_CONFIG: '/dev/null',
  DEBUGINFOD_URLS: '',
};
