import { useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { isPassing, SHOWN_MS } from '../state/notices.ts';
import type { Notice } from '../state/notice.ts';
import type { Transfer } from '../state/workbench-state.ts';
import { CopyButton } from '../ui/fields/copy-button.tsx';
import { bytes } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';
import { Button, IconButton } from '../ui/buttons.tsx';

/** Messages without a place in the window, and files being added to the library. */
export function Notices(): ReactElement {
  const notices = useWorkbenchState((state) => state.notices);
  const transfers = useWorkbenchState((state) => state.transfers);
  return (
    <output className="notices" aria-label="Messages">
      {transfers.map((transfer) => (
        <TransferRow key={transfer.id} transfer={transfer} />
      ))}
      {notices.map((notice) => (
        <NoticeRow key={notice.id} notice={notice} />
      ))}
    </output>
  );
}

function NoticeRow({ notice }: { notice: Notice }): ReactElement {
  const { dismiss } = useWorkbench();
  const { details = null } = notice;
  const row = useRef<HTMLDivElement>(null);
  usePassing(notice, row);
  return (
    <div ref={row} className={`notice ${notice.kind}`}>
      <Icon name={notice.kind === 'error' ? 'warning' : 'info'} />
      <div className="notice-text">
        <p>{notice.text}</p>
        {notice.remedy !== null && <p className="dim">{notice.remedy}</p>}
        {details !== null && (
          <details>
            <summary>Details</summary>
            <pre>{details}</pre>
          </details>
        )}
      </div>
      {notice.kind === 'error' && (
        <CopyButton
          label="Copy this message"
          text={[notice.text, notice.remedy, details].filter((line) => line !== null).join('\n')}
        />
      )}
      {notice.action !== null && (
        <Button
          onClick={() => {
            dismiss(notice.id);
            notice.action?.run();
          }}
        >
          {notice.action.label}
        </Button>
      )}
      <IconButton icon="close" label="Close this message" onClick={() => dismiss(notice.id)} />
    </div>
  );
}

/** Time in ms after which a notice is looked at again that the user points at or has focused, or does not see. */
const LOOK_AGAIN_MS = 2000;

/** Closes a passing notice after {@link SHOWN_MS}, unless the user points at it or has focused it. */
function usePassing(notice: Notice, row: RefObject<HTMLElement | null>): void {
  const { dismiss } = useWorkbench();
  useEffect(() => {
    if (!isPassing(notice)) return undefined;
    const close = (): void => {
      const isInUse = document.hidden || row.current?.matches(':hover, :focus-within') === true;
      if (isInUse) timer = setTimeout(close, LOOK_AGAIN_MS);
      else dismiss(notice.id);
    };
    let timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, row, dismiss]);
}

/** Delay in ms before progress is shown. */
const SHOW_AFTER_MS = 200;

function TransferRow({ transfer }: { transfer: Transfer }): ReactElement | null {
  const { fileName, sentBytes, totalBytes, cancel } = transfer;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <div className="notice">
      <Icon name="keep" />
      <div className="notice-text">
        <p className="ellipsis">Keeping {fileName}</p>
        <progress className="progress" aria-label={`Keeping ${fileName}`} value={sentBytes} max={totalBytes} />
        <p className="dim mono">
          {bytes(sentBytes)} of {bytes(totalBytes)}
        </p>
      </div>
      <Button onClick={cancel}>Cancel</Button>
    </div>
  );
}
