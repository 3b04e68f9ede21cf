import type { Settings } from '#core/contract/settings-schema.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Command } from '../../state/command.ts';
import type { Parts } from '../../ui/parts.tsx';
import type { PreferencesStore } from '../../state/preferences.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import { copyTableCommands } from '../panes/copy-table-commands.ts';
import { COLOUR_CHOICES, defaultColour } from '../../state/colour-choice.ts';
import type { Workbench } from '../../state/workbench.ts';
import { valueTypeText } from '../../state/value-type-text.ts';

/** Returns the commands for the controls around the graph: value type, colours and tables. */
export function displayCommands({ preferences, parts }: Workbench, view: ProfileView): Command[] {
  return [
    ...valueTypeCommands(view),
    ...colourCommands(view),
    ...tableCommands(preferences, parts, view.store.get().picked !== null),
    { id: 'format.choose', name: 'Reopen in another format…', run: () => parts.focus('format') },
  ];
}

function valueTypeCommands({ profile, store, select }: ProfileView): Command[] {
  const { valueType } = store.get().selection;
  return profile.valueTypes.flatMap((_, index) =>
    index === valueType
      ? []
      : [
          {
            id: `value-type.${index}`,
            name: `Value type: ${valueTypeText(profile.valueTypes, index)}`,
            run: () => select({ valueType: index as ValueTypeIndex }),
          },
        ],
  );
}

function colourCommands({ profile, store, setColour }: ProfileView): Command[] {
  const now = store.get().colour ?? defaultColour(profile);
  return COLOUR_CHOICES.filter((choice) => choice !== now).map((choice) => ({
    id: `colour.${choice}`,
    name: `Colour by ${choice}`,
    run: () => setColour(choice),
  }));
}

const TABLES: Readonly<Record<Settings['table'], string>> = {
  functions: 'Table: functions',
  tree: 'Table: call tree',
  edges: 'Table: callers and callees (peek)',
};

/** `hasFunction` is whether a function is selected, without which its callers and callees are not shown. */
function tableCommands(preferences: PreferencesStore, parts: Parts, hasFunction: boolean): Command[] {
  const { table, graphAlone } = preferences.get();
  const shows = (page: Settings['table']): boolean => page === table && !graphAlone;
  return [
    ...(Object.keys(TABLES) as Settings['table'][])
      .filter((page) => !shows(page))
      .map((page) => ({ id: `table.${page}`, name: TABLES[page], run: () => preferences.set({ table: page }) })),
    {
      id: 'table.filter',
      name: 'Filter the functions of the table',
      run: () => {
        preferences.set({ table: 'functions' });
        // Waits until the table is rendered.
        requestAnimationFrame(() => parts.focus('table.filter'));
      },
    },
    ...(graphAlone || (table === 'edges' && !hasFunction)
      ? []
      : [
          { id: 'table.columns', name: 'Columns of the table…', run: () => parts.run('table.columns') },
          ...copyTableCommands(parts),
          { id: 'table.export', name: 'Save the table as CSV', run: () => parts.run('table.export') },
        ]),
  ];
}
