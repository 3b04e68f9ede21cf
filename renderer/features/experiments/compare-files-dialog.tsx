import { useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { bytes, dateAndTime } from '../../ui/format.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import './experiments.css';
import { Button } from '../../ui/buttons.tsx';
import { SIDES } from '#core/contract/side.ts';

interface CompareFilesProps {
  readonly files: readonly [File, File];
  readonly openBoth: () => void;
}

/** Asks whether to compare two dropped files or open each. */
export function CompareFilesDialog({ files, openBoth }: CompareFilesProps): ReactElement {
  const { tabs, showDialog } = useWorkbench();
  const [[before, after], setOrder] = useState(() => orderFiles(...files));
  const close = (): void => showDialog(null);
  return (
    <Dialog title="Compare these two?" className="small-dialog" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close();
          tabs.compare({
            before: [tabs.fileInput(before)],
            after: [tabs.fileInput(after)],
          });
        }}
      >
        <div className="dialog-body experiment-form">
          <dl className="pair-order">
            {SIDES.map((side) => {
              const file = side === 'before' ? before : after;
              return (
                <div key={side}>
                  <span className={`dot side-${side}`} />
                  <dt>{side}</dt>
                  <dd className="ellipsis" title={visibleText(file.name)}>
                    {visibleText(file.name)}
                  </dd>
                  <small title={dateAndTime(file.lastModified)}>{bytes(file.size)}</small>
                </div>
              );
            })}
          </dl>
        </div>
        <div className="dialog-actions">
          <Button onClick={() => setOrder([after, before])}>Swap ⇄</Button>
          <span className="spacer" />
          <Button
            onClick={() => {
              close();
              openBoth();
            }}
          >
            Open both
          </Button>
          <Button type="submit" className="primary">
            Compare
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Words in names of the earlier and the later of two files. */
const EARLIER = /(?:^|[^a-z])(?:before|old|base(?:line)?|prev(?:ious)?|orig(?:inal)?|control)(?![a-z])/i;
const LATER = /(?:^|[^a-z])(?:after|new|head|next|fix(?:ed)?|patched|candidate)(?![a-z])/i;

/** Orders two files as *before* and *after*: by their names, else the older one first, else as given. */
export function orderFiles<T extends Pick<File, 'name' | 'lastModified'>>(one: T, other: T): [before: T, after: T] {
  const rank = ({ name }: T): number => (EARLIER.test(name) ? 0 : LATER.test(name) ? 2 : 1);
  const isLater = rank(one) - rank(other) || one.lastModified - other.lastModified;
  return isLater > 0 ? [other, one] : [one, other];
}
