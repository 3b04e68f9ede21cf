import { useEffect, useRef, type ReactElement } from 'react';
import type { RegionTable } from '../state/features.ts';
import { showLibrary, useLibraryPlace } from '../state/library-place.ts';
import { usePreference } from '../state/appearance.ts';
import { Splitter } from '../ui/fields/splitter.tsx';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';

interface SidebarProps {
  readonly Side: RegionTable['side'];
}

/** The library on the left of the window, or over its tabs. */
export function Sidebar({ Side }: SidebarProps): ReactElement | null {
  const { parts } = useWorkbench();
  const place = useLibraryPlace();
  useEffect(() => (place === null ? undefined : () => parts.rescueFocus()), [place, parts]);
  if (place === null) return null;
  return place === 'over' ? <LibraryOver Side={Side} /> : <LibraryBeside Side={Side} />;
}

function LibraryBeside({ Side }: SidebarProps): ReactElement {
  const { preferences } = useWorkbench();
  const sidebarPx = usePreference('sidebarPx');
  return (
    <section className="library-side" aria-label="Side bar">
      <div className="sidebar-frame" style={{ width: sidebarPx }}>
        <Side />
      </div>
      <Splitter
        label="Width of the library"
        orientation="vertical"
        value={sidebarPx}
        min={160}
        max={480}
        perPixel={() => 1}
        onChange={(value) => preferences.set({ sidebarPx: value })}
      />
    </section>
  );
}

/**
 * Closes on Escape, when something was opened from it, and when something below it gets the focus, which it would hide.
 */
function LibraryOver({ Side }: SidebarProps): ReactElement {
  const workbench = useWorkbench();
  const sidebarPx = usePreference('sidebarPx');
  const activeTab = useWorkbenchState((state) => state.activeTab);
  const before = useRef(activeTab);
  useEffect(() => {
    if (activeTab !== before.current) showLibrary(workbench, false);
  }, [activeTab, workbench]);
  return (
    <div
      className="sidebar-frame over"
      role="presentation"
      style={{ width: sidebarPx }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !(event.target instanceof HTMLInputElement)) showLibrary(workbench, false);
      }}
    >
      <Side />
    </div>
  );
}
