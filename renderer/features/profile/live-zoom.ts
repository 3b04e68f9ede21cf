import { useMemo } from 'react';
import type { Zoom } from '../../ui/flame/use-zoom.ts';
import { useProfileTab, useView } from '../../state/profile/context.ts';
import { useWorkbench } from '../../state/workbench-context.ts';

/**
 * Returns the zoom of a call tree. In a live view, whose trees replace one another, back leads to the frames of earlier
 * trees by their paths, like Back of the browser.
 */
export function useLiveZoom(zoom: Zoom): Zoom {
  const view = useView();
  const { live } = useProfileTab();
  const { navigation } = useWorkbench();
  return useMemo(() => {
    if (live === null) return zoom;
    const back = (): boolean => {
      if (navigation.go(-1, view)) return true;
      if (zoom.range !== null) zoom.toRange(null, false);
      else if (zoom.node === zoom.home) return false;
      else zoom.to(zoom.home);
      return true;
    };
    return { ...zoom, back };
  }, [zoom, view, live, navigation]);
}
