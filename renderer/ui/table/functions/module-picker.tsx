import { useCallback, useMemo, type JSX } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { PopoverButton } from '../../menu/popover-button.tsx';
import { SearchedList } from '../../lists/searched-list.tsx';
import { baseName } from '#core/model/base-name.ts';
import type { ModuleRow } from './module-list.ts';
import type { TableFormat } from '../format.ts';
import { LinkButton } from '../../buttons.tsx';

interface ModulePickerProps {
  /** Heaviest first. */
  readonly modules: readonly ModuleRow[];
  /** Names of modules, with folders. */
  readonly hidden: readonly string[];
  readonly onHidden: (hidden: readonly string[]) => void;
  readonly totalWeight: number;
  readonly format: Pick<TableFormat, 'count' | 'share'>;
}

/** A checklist of the modules whose functions the table shows. */
export function ModulePicker(props: ModulePickerProps): JSX.Element {
  const { modules, hidden, format } = props;
  const shown = modules.filter(({ name }) => !hidden.includes(name)).length;
  const text =
    shown === modules.length
      ? `all ${format.count(shown)}`
      : `${format.count(shown)} of ${format.count(modules.length)}`;
  return (
    <PopoverButton
      className={shown === modules.length ? 'table-button' : 'table-button on'}
      face={<span>Modules: {text}</span>}
      label="Modules in the table"
    >
      {() => <ModuleList {...props} />}
    </PopoverButton>
  );
}

/** Number of modules from which the list has a search field. */
const SEARCH_FROM = 9;

function ModuleList({ modules, hidden, onHidden, totalWeight, format }: ModulePickerProps): JSX.Element {
  const hiddenNames = useMemo(() => new Set(hidden), [hidden]);
  const find = useCallback(
    (query: string) => {
      const wanted = query.trim().toLowerCase();
      return modules.filter(({ name }) => name.toLowerCase().includes(wanted));
    },
    [modules],
  );
  const toggle = ({ name }: ModuleRow): void => {
    onHidden(hiddenNames.has(name) ? hidden.filter((one) => one !== name) : [...hidden, name]);
  };
  return (
    <div className="searched module-list">
      <SearchedList
        id="table-modules"
        label="Modules"
        search={modules.length > SEARCH_FROM ? { label: 'Search modules', placeholder: 'module' } : null}
        find={find}
        visibleRows={12}
        isChosen={({ name }) => !hiddenNames.has(name)}
        onToggle={toggle}
        onTake={(row) => onHidden(modules.flatMap(({ name }) => (name === row.name ? [] : name)))}
        onClick={toggle}
      >
        {({ name, functions, self }) => (
          <>
            <span className="ellipsis" title={visibleText(name.slice(0, 1000))}>
              {name === '' ? '(no module)' : shortenMiddle(visibleText(baseName(name).slice(0, 1000)), 48)}
            </span>
            <span className="mono faint">{format.count(functions)}</span>
            <span className="mono dim">{format.share(self, totalWeight)}</span>
          </>
        )}
      </SearchedList>
      <p className="faint-hint">Space or a click shows and hides, Enter shows only one. Share: self weight.</p>
      <div className="module-actions">
        <LinkButton onClick={() => onHidden([])}>Show all</LinkButton>
        <LinkButton onClick={() => onHidden(modules.map(({ name }) => name))}>Hide all</LinkButton>
      </div>
    </div>
  );
}
