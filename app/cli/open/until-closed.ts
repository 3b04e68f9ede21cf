import type { Engine } from '#app/engine/server.ts';

/**
 * Resolves when no window has been connected for a time in ms, which allows for a reload and for the start of the
 * browser.
 */
export function untilClosed(
  { onWindow, onNoWindow }: Pick<Engine, 'onWindow' | 'onNoWindow'>,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const wait = (): NodeJS.Timeout => setTimeout(resolve, ms).unref();
    let timer = wait();
    onWindow(() => clearTimeout(timer));
    onNoWindow(() => (timer = wait()));
  });
}
