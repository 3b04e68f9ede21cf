import type { ReactElement } from 'react';
import { Icon } from './icons.tsx';
import { useWorkbench, useWorkbenchState } from './workbench-context.ts';

/** Messages that are tied to no place in the window; each stays until it is closed. */
export function Notices(): ReactElement {
  const { dismiss } = useWorkbench();
  const notices = useWorkbenchState((state) => state.notices);
  return (
    <output className="notices" aria-label="Messages">
      {notices.map((notice) => (
        <div key={notice.id} className={`notice ${notice.kind}`}>
          <Icon name={notice.kind === 'error' ? 'warning' : 'info'} />
          <div className="notice-text">
            <p>{notice.text}</p>
            {notice.remedy !== null && <p className="dim">{notice.remedy}</p>}
          </div>
          {notice.action !== null && (
            <button
              type="button"
              className="button"
              onClick={() => {
                dismiss(notice.id);
                notice.action?.run();
              }}
            >
              {notice.action.label}
            </button>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label="Close this message"
            onClick={() => {
              dismiss(notice.id);
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </output>
  );
}
