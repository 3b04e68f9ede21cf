import { useMemo, useState, type JSX, type KeyboardEvent } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { Icon } from '../shell/icons.tsx';
import { Popover } from '../shell/popover.tsx';
import { VirtualList } from '../shell/virtual-list.tsx';
import { baseName } from './function-columns.ts';
import type { ModuleRow } from './module-list.ts';
import type { TableFormat } from './table-format.ts';

interface ModulePickerProps {
  /** Heaviest first. */
  readonly modules: readonly ModuleRow[];
  /** By name with folders. */
  readonly hidden: readonly string[];
  readonly onHidden: (hidden: readonly string[]) => void;
  readonly totalWeight: number;
  readonly format: TableFormat;
}

/** A checklist of the modules whose functions the table lists. */
export function ModulePicker(props: ModulePickerProps): JSX.Element {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { modules, hidden, format } = props;
  const shown = modules.filter(({ name }) => !hidden.includes(name)).length;
  const text =
    shown === modules.length
      ? `all ${format.count(shown)}`
      : `${format.count(shown)} of ${format.count(modules.length)}`;
  return (
    <>
      <button
        type="button"
        className={shown === modules.length ? 'table-button' : 'table-button on'}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span>Modules: {text}</span>
        <Icon name="chevron-down" />
      </button>
      {anchor !== null && (
        <Popover label="Modules in the table" anchor={anchor} onClose={() => setAnchor(null)}>
          <ModuleList {...props} />
        </Popover>
      )}
    </>
  );
}

const ROW_PX = 24;
/** A short list needs no search. */
const SEARCH_FROM = 9;

function ModuleList({ modules, hidden, onHidden, totalWeight, format }: ModulePickerProps): JSX.Element {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const hiddenNames = useMemo(() => new Set(hidden), [hidden]);
  const rows = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    return modules.filter(({ name }) => name.toLowerCase().includes(wanted));
  }, [modules, query]);
  const at = Math.min(active, rows.length - 1);
  const toggle = (row: ModuleRow): void => {
    const isHidden = hiddenNames.has(row.name);
    onHidden(isHidden ? hidden.filter((name) => name !== row.name) : [...hidden, row.name]);
  };
  const only = (row: ModuleRow): void => {
    onHidden(modules.flatMap(({ name }) => (name === row.name ? [] : name)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const typing = event.target instanceof HTMLInputElement;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(rows.length - 1, at + step)));
    else if (event.key === 'Enter' && rows[at] !== undefined) only(rows[at]);
    else if (event.key === ' ' && !typing && rows[at] !== undefined) toggle(rows[at]);
    else return;
    event.preventDefault();
  };
  return (
    <div className="module-list">
      {modules.length > SEARCH_FROM && (
        <div className="field">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search modules"
            placeholder="module"
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
      )}
      <VirtualList
        id="table-modules"
        label="Modules"
        multiple
        count={rows.length}
        rowPx={ROW_PX}
        visibleRows={12}
        active={at}
        isSelected={(index) => !hiddenNames.has(rows[index]!.name)}
        onKeyDown={onKeyDown}
        onClick={(index) => {
          setActive(index);
          toggle(rows[index]!);
        }}
      >
        {(index) => {
          const row = rows[index]!;
          return (
            <>
              <span className="option-check">{!hiddenNames.has(row.name) && <Icon name="check" />}</span>
              <span className="ellipsis" title={visibleText(row.name.slice(0, 1000))}>
                {row.name === '' ? '(no module)' : shortenMiddle(visibleText(baseName(row.name).slice(0, 1000)), 48)}
              </span>
              <span className="mono faint">{format.count(row.functions)}</span>
              <span className="mono dim">{format.share(row.self, totalWeight)}</span>
            </>
          );
        }}
      </VirtualList>
      <p className="faint-hint">Space or a click shows and hides, Enter shows one alone. Share: self weight.</p>
      <div className="module-actions">
        <button type="button" className="link-button" onClick={() => onHidden([])}>
          Show all
        </button>
        <button type="button" className="link-button" onClick={() => onHidden(modules.map(({ name }) => name))}>
          Hide all
        </button>
      </div>
    </div>
  );
}
