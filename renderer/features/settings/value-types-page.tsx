import type { ReactElement } from 'react';
import type { ValueTypeDefaults } from '#core/contract/settings-schema.ts';
import { COLOUR_CHOICES } from '../../state/colour-choice.ts';
import { usePreference } from '../../state/appearance.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import { SelectSetting } from './setting-row.tsx';

const AS_IT_SUITS = { value: '', label: 'automatic' };

/** Defaults for graphs by value type: those of the open profiles, and those already configured. */
export function ValueTypesPage(): ReactElement {
  const chosen = usePreference('valueTypes');
  const open = useWorkbenchState((state) => state.tabs);
  const types = new Set(chosen.map(({ type }) => type));
  for (const tab of open) {
    for (const { type } of asProfileTab(tab)?.store.get().profile?.valueTypes ?? []) types.add(type);
  }
  if (types.size === 0) {
    return (
      <p className="panel-hint">
        A value type is what a profile measures: cpu-clock, alloc_space, page-faults. Open a profile to set here how
        graphs of its value types start.
      </p>
    );
  }
  return (
    <>
      {[...types].sort().map((type) => (
        <TypeSettings key={type} type={type} chosen={chosen.find((one) => one.type === type) ?? null} />
      ))}
    </>
  );
}

function TypeSettings({ type, chosen }: { type: string; chosen: ValueTypeDefaults | null }): ReactElement {
  const { preferences } = useWorkbench();
  const now = chosen ?? { type, tree: null, orientation: null, colour: null, sort: null };
  const set = (change: Partial<ValueTypeDefaults>): void => preferences.change({ valueTypes: [{ ...now, ...change }] });
  return (
    <section className="type-settings" aria-label={type}>
      <h3 className="mono ellipsis">{type}</h3>
      <SelectSetting
        label="Tree"
        value={now.tree ?? ''}
        choices={[
          AS_IT_SUITS,
          { value: 'top-down', label: 'top-down' },
          { value: 'bottom-up', label: 'bottom-up' },
          { value: 'time-order', label: 'in time order' },
        ]}
        onChange={(tree) => set({ tree: tree === '' ? null : (tree as ValueTypeDefaults['tree']) })}
      />
      <SelectSetting
        label="Graph"
        value={now.orientation ?? ''}
        choices={[AS_IT_SUITS, { value: 'flame', label: 'flame' }, { value: 'icicle', label: 'icicle' }]}
        onChange={(orientation) => {
          set({ orientation: orientation === '' ? null : (orientation as ValueTypeDefaults['orientation']) });
        }}
      />
      <SelectSetting
        label="Colour"
        value={now.colour ?? ''}
        choices={[AS_IT_SUITS, ...COLOUR_CHOICES.map((choice) => ({ value: choice, label: choice }))]}
        onChange={(colour) => set({ colour: colour === '' ? null : colour })}
      />
      <SelectSetting
        label="Tables sorted by"
        value={now.sort ?? ''}
        choices={[
          AS_IT_SUITS,
          { value: 'self', label: 'self' },
          { value: 'total', label: 'total' },
          { value: 'name', label: 'name' },
          { value: 'module', label: 'module' },
        ]}
        onChange={(sort) => set({ sort: sort === '' ? null : (sort as ValueTypeDefaults['sort']) })}
      />
    </section>
  );
}
