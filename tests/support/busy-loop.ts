/** Argv of a process `sh` that keeps a CPU busy, but leaves it to other tests' processes if they need it. */
export const BUSY_LOOP = ['nice', '-n', '5', 'sh', '-c', 'while :; do :; done'] as const;
