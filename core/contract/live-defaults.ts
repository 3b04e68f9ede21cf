/** Kinds of pprof that count since the start of the program, whose growth Go's own server records. */
const GROWING_KINDS: readonly string[] = ['allocs', 'block', 'mutex'];
/** Kinds that tell what happened in a time, rather than what is there at a moment. */
export const LIVE_KINDS: readonly string[] = ['cpu', 'fgprof', 'gperftools', ...GROWING_KINDS];

export const isGrowingKind = (kind: string): boolean => GROWING_KINDS.includes(kind);
export const isLiveKind = (kind: string): boolean => LIVE_KINDS.includes(kind);

/** Seconds of a window of pprof: shorter ones leave more of the time between them unsampled. */
export const LIVE_WINDOW_SECONDS = 2;

/** Half a CPU: many times what perf takes at 99 Hz. */
export const DEFAULT_MAX_CPUS = 0.5;
