import type { ComponentType } from 'react';
import type { Theme } from '../ui/flame/flame-graph.types.ts';
import type { Command } from './command.ts';
import type { OpenTab } from './open-tab.ts';
import type { Workbench } from './workbench.ts';
import type { OpenDialog } from './workbench-state.ts';

/** Lists what can be done now; `active` is the tab in front, null where none is open. */
export type CommandSource = (workbench: Workbench, active: OpenTab | null) => readonly Command[];

/** Dialogs by kind, without the palette and the list of keys, which are the shell's own. */
export type DialogTable = {
  readonly [K in Exclude<OpenDialog['kind'], 'commands' | 'keys'>]: ComponentType<{
    readonly dialog: Extract<OpenDialog, { kind: K }>;
  }>;
};

/** An entry of a tab's menu; `id` names the command whose keys it shows, null where it has none. */
export interface TabMenuItem {
  readonly label: string;
  readonly id: string | null;
  readonly run: () => void;
}

/** What the window shows of one kind of tab. */
export interface TabParts<T extends OpenTab> {
  readonly Panel: ComponentType<{ readonly tab: T; readonly theme: Theme }>;
  /** At the end of the tab strip. */
  readonly Tools: ComponentType<{ readonly tab: T }>;
  /** In the status bar. */
  readonly Status: ComponentType<{ readonly tab: T }>;
  readonly menu: (workbench: Workbench, tab: T) => readonly (readonly TabMenuItem[])[];
}

export type TabTable = { readonly [K in OpenTab['kind']]: TabParts<Extract<OpenTab, { kind: K }>> };

/** The parts for a tab, typed for any: a tab's own kind chose them. */
export const partsOf = (table: TabTable, tab: OpenTab): TabParts<OpenTab> => table[tab.kind] as TabParts<OpenTab>;

/** Fixed places of the window, by where they are. */
export interface RegionTable {
  readonly side: ComponentType;
  readonly below: ComponentType;
  readonly statusEnd: ComponentType;
}

/** What one feature brings to the window. */
export interface Registration {
  readonly commands?: CommandSource;
  readonly dialogs?: Partial<DialogTable>;
  readonly tabs?: Partial<TabTable>;
  readonly regions?: Partial<RegionTable>;
}

/** What all features bring; complete, so that a dialog or a tab without a component does not compile. */
export interface Features {
  readonly commands: readonly CommandSource[];
  readonly dialogs: DialogTable;
  readonly tabs: TabTable;
  readonly regions: RegionTable;
}
