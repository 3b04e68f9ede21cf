/**
 * Environment of every perf process: messages in English, no ~/.perfconfig (which could change the output of `perf
 * script`), no downloads of debug info during a recording.
 */
export const PERF_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  PERF_CONFIG: '/dev/null',
  DEBUGINFOD_URLS: '',
};
