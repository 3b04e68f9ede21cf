import type { OpenedFrame } from '../../state/opening/open-function.ts';
import type { AnalysedTab } from '../../state/tabs/open-tab.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { loadPart } from '../../ui/load-part.ts';

/** Returns the function that opens a frame of a tab in a new one; undefined for a live session. */
export function useOpenNew(tab: AnalysedTab): ((frame: OpenedFrame) => void) | undefined {
  const { tabs, report } = useWorkbench();
  if (tab.kind === 'profile' && tab.live !== null) return undefined;
  return (frame) => {
    loadPart(() => import('../../state/opening/open-function.ts'))
      .then((part) => part.openFunction(tabs, tab, frame))
      .catch(report);
  };
}
