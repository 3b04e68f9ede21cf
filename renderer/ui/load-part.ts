/** Waits before the second, third and fourth attempt to load a script, in milliseconds. */
export const RETRY_WAITS_MS = [0, 250, 1000];

/**
 * Loads a script of the window on demand. Tries again if that fails, because a browser ends all requests when a network
 * link of the machine appears or goes. Rejects with the last error.
 *
 * @example
 *   const { saveLive } = await loadPart(() => import('./save-live.ts'));
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (const wait of RETRY_WAITS_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return load();
}
