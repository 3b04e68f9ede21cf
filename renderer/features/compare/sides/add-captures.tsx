import { useCallback, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { Side } from '#core/contract/side.ts';
import { age } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icons.tsx';
import { chooseFiles } from '../../../ui/pick-files.ts';
import { PopoverButton } from '../../../ui/menu/popover-button.tsx';
import { SearchedList } from '../../../ui/lists/searched-list.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { useWorkbench, useWorkbenchState } from '../../../state/workbench-context.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { Button } from '../../../ui/buttons.tsx';

/** Number of captures from which the list has a search field. */
const SEARCH_FROM = 9;

/** Adds captures of the library, or files, to the end of a side. */
export function AddCaptures({ side }: { side: Side }): ReactElement {
  const name = `Add a capture to ${side}`;
  return (
    <PopoverButton className="icon-button" face={<Icon name="plus" />} label={name} name={name}>
      {(close) => <CaptureChoices side={side} onDone={close} />}
    </PopoverButton>
  );
}

function CaptureChoices({ side, onDone }: { side: Side; onDone: () => void }): ReactElement {
  const tab = useCompare();
  const { tabs } = useWorkbench();
  const library = useWorkbenchState((state) => state.captures);
  const own = useCompareState((state) => state[side].captures);
  const now = useNow();
  const find = useCallback(
    (query: string): readonly CaptureDocument[] => {
      const sought = query.trim().toLowerCase();
      return (library ?? []).filter(({ name }) => name.toLowerCase().includes(sought));
    },
    [library],
  );
  const isChosen = ({ id }: CaptureDocument): boolean =>
    own.some(({ origin }) => origin.kind === 'capture' && origin.id === id);
  const toggle = (capture: CaptureDocument): void => {
    const there = own.find(({ origin }) => origin.kind === 'capture' && origin.id === capture.id);
    if (there === undefined) tab.add(side, [tabs.captureInput(capture.id, capture.primaryFile)]);
    else tab.remove(there.key);
  };
  return (
    <div className="searched thread-list">
      {(library ?? []).length > 0 && (
        <SearchedList
          id={`add-${side}`}
          label={`Library captures for ${side}`}
          search={
            (library ?? []).length > SEARCH_FROM ? { label: 'Search captures by name', placeholder: 'name' } : null
          }
          find={find}
          visibleRows={12}
          isChosen={isChosen}
          onToggle={toggle}
          onTake={(capture) => {
            toggle(capture);
            onDone();
          }}
          onClick={toggle}
        >
          {({ name, createdAt }) => (
            <>
              <span className="ellipsis">{shortenMiddle(visibleText(name.slice(0, 1000)), 60)}</span>
              <span className="mono faint">{age(createdAt, now)}</span>
            </>
          )}
        </SearchedList>
      )}
      <Button
        onClick={() => {
          onDone();
          chooseFiles((files) => tab.add(side, files.map(tabs.fileInput)));
        }}
      >
        Files…
      </Button>
    </div>
  );
}
