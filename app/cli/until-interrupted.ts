/** Runs an action that Ctrl-C aborts through the given signal. */
export async function untilInterrupted<T>(action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => {
    interrupt.abort();
  };
  process.once('SIGINT', onInterrupt);
  try {
    return await action(interrupt.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
