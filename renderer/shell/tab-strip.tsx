import type { KeyboardEvent, ReactElement } from 'react';
import type { ProfileTab } from '../state/profile-tab.ts';
import { useStore } from '../state/store.ts';
import { Icon } from './icons.tsx';
import { tabTitle } from './tab-title.ts';
import { useWorkbench, useWorkbenchState } from './workbench-context.ts';

/** The open profiles. Arrows choose, Delete closes, so does a middle click. */
export function TabStrip(): ReactElement {
  const tabs = useWorkbenchState((state) => state.tabs);
  const activeTab = useWorkbenchState((state) => state.activeTab);
  return (
    <div className="tabs" role="tablist" aria-label="Open profiles">
      {tabs.map((tab) => (
        <Tab key={tab.id} tab={tab} active={tab.id === activeTab} />
      ))}
    </div>
  );
}

function Tab({ tab, active }: { tab: ProfileTab; active: boolean }): ReactElement {
  const { tabs: actions } = useWorkbench();
  const captures = useWorkbenchState((state) => state.captures);
  const phase = useStore(tab.store, (state) => state.phase);
  useStore(tab.store, (state) => state.captureId);
  const title = tabTitle(tab, captures);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const strip = event.currentTarget.closest('[role=tablist]');
    if (step !== 0) {
      const all = [...(strip?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
      const next = all[(all.indexOf(event.currentTarget) + step + all.length) % all.length];
      next?.focus();
      next?.click();
    } else if (event.key === 'Delete') {
      actions.close(tab.id);
    }
  };

  return (
    <div
      role="presentation"
      className={active ? 'tab on' : 'tab'}
      onAuxClick={(event) => {
        if (event.button === 1) actions.close(tab.id);
      }}
    >
      <button
        type="button"
        role="tab"
        id={`${tab.id}-tab`}
        aria-selected={active}
        aria-controls={`${tab.id}-panel`}
        tabIndex={active ? 0 : -1}
        title={title}
        onKeyDown={onKeyDown}
        onClick={() => {
          actions.activate(tab.id);
        }}
      >
        {phase === 'failed' && <span className="dot live" />}
        <span className="ellipsis">{title}</span>
      </button>
      <button
        type="button"
        className="icon-button"
        tabIndex={-1}
        aria-hidden="true"
        title="Close (Delete)"
        onClick={() => {
          actions.close(tab.id);
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
