import { FRAGMENT_KEY, OWN_HOST_NAME } from '#core/contract/paths.ts';
import type { Workbench } from '../state/workbench.ts';

/**
 * Opens another window with its own session, which `noopener` gives it. Under another name than the engine's, its page
 * asks for the code of the terminal.
 */
export async function openWindow({ engine, report }: Pick<Workbench, 'engine' | 'report'>): Promise<void> {
  try {
    const { token } = OWN_HOST_NAME.test(location.hostname) ? await engine.call('app.newWindow', {}) : { token: null };
    window.open(`${location.origin}/${token === null ? '' : `#${FRAGMENT_KEY}=${token}`}`, '_blank', 'noopener');
  } catch (error) {
    report(error);
  }
}
