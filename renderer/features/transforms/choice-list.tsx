import { useId, useMemo, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { count } from '../../ui/format.ts';
import { rowId, VirtualList } from '../../ui/lists/virtual-list.tsx';
import { matchChoices, MAX_CHOICES, type ChoiceRow } from '../../state/transforms/target-choices.ts';

interface ChoiceListProps<T> {
  /** `function` or `module`. */
  readonly noun: string;
  readonly choices: readonly ChoiceRow<T>[];
  /** Shown even if it is not among the visible rows. */
  readonly chosen: { readonly text: string; readonly is: (value: T) => boolean } | null;
  readonly weight: (weight: number) => string;
  readonly onChoose: (value: T) => void;
}

const ROW_PX = 24;
const VISIBLE_ROWS = 7;

/** A field that filters a list; arrow keys move in the list, Enter chooses. */
export function ChoiceList<T>({ noun, choices, chosen, weight, onChoose }: ChoiceListProps<T>): ReactElement {
  const id = useId();
  const [text, setText] = useState('');
  const found = useMemo(() => matchChoices(choices, text), [choices, text]);
  const [active, setActive] = useState(-1);
  const at = Math.min(active, found.length - 1);
  const choose = (choice: ChoiceRow<T> | undefined): void => {
    if (choice !== undefined) onChoose(choice.value());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: VISIBLE_ROWS, PageUp: -VISIBLE_ROWS }[event.key];
    const to = Math.max(0, Math.min(found.length - 1, at + (step ?? 0)));
    if (step !== undefined) {
      setActive(to);
      choose(found[to]);
    } else if (event.key === 'Enter' && text !== '' && at < 0) choose(found[0]);
    else return;
    event.preventDefault();
  };
  return (
    <div className="searched choice-list">
      <div className="field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={at < 0 ? undefined : rowId(id, at)}
          aria-label={`Filter by ${noun}`}
          placeholder={`part of the ${noun}’s name`}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(-1);
          }}
          onKeyDown={onKeyDown}
        />
        {chosen !== null && (
          <output className="chosen ellipsis mono" title={chosen.text}>
            {chosen.text}
          </output>
        )}
      </div>
      <VirtualList
        id={id}
        label={`${noun}s`}
        passive
        count={found.length}
        rowPx={ROW_PX}
        visibleRows={VISIBLE_ROWS}
        active={at}
        isSelected={(index) => chosen?.is(found[index]!.value()) ?? false}
        onKeyDown={onKeyDown}
        onClick={(index) => {
          setActive(index);
          choose(found[index]);
        }}
      >
        {(index) => (
          <>
            <span className="option-check">{chosen?.is(found[index]!.value()) === true && <Icon name="check" />}</span>
            <span className="ellipsis mono">{found[index]!.name}</span>
            <span className="option-detail dim ellipsis">{found[index]!.detail}</span>
            <span className="mono dim">{weight(found[index]!.weight)}</span>
          </>
        )}
      </VirtualList>
      {found.length === 0 && <p className="dim">No {noun} in this view has that name.</p>}
      {choices.length === MAX_CHOICES && (
        <p className="dim">The {count(MAX_CHOICES)} heaviest are listed; use a regex for the others.</p>
      )}
    </div>
  );
}
