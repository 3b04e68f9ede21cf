/** Runs an action that Ctrl-C, or one of the signals, aborts through the given signal; a second one ends the process. */
export async function untilInterrupted<T>(
  action: (signal: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = ['SIGINT'],
): Promise<T> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => {
    interrupt.abort();
  };
  for (const one of signals) process.once(one, onInterrupt);
  try {
    return await action(interrupt.signal);
  } finally {
    for (const one of signals) process.off(one, onInterrupt);
  }
}
