import { useCallback } from 'react';
import type { Settings, TableLayout } from '#core/contract/settings-schema.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench-context.ts';

interface KeptLayout {
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
}

/** Returns the columns of a table, which the settings keep. */
export function useTableLayout(table: keyof Settings['tableLayouts']): KeptLayout {
  const { preferences } = useWorkbench();
  const layout = useStore(preferences, (state) => state.tableLayouts[table]);
  const onLayout = useCallback(
    (next: TableLayout) => preferences.set({ tableLayouts: { ...preferences.get().tableLayouts, [table]: next } }),
    [preferences, table],
  );
  return { layout, onLayout };
}
