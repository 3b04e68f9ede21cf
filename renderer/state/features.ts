import type { ComponentType } from 'react';
import type { Theme } from '../ui/flame/graph.types.ts';
import type { Command } from './command.ts';
import type { OpenTab } from './tabs/open-tab.ts';
import type { Workbench } from './workbench.ts';
import type { OpenDialog } from './workbench-state.ts';

/** Returns the commands available now; `active` is the active tab, null if none is open. */
export type CommandSource = (workbench: Workbench, active: OpenTab | null) => readonly Command[];

/** Dialogs by kind, except the palette and the list of shortcuts, which belong to the shell. */
export type DialogTable = {
  readonly [K in Exclude<OpenDialog['kind'], 'commands' | 'keys'>]: ComponentType<{
    readonly dialog: Extract<OpenDialog, { kind: K }>;
  }>;
};

/** An entry in a tab's menu; `id` names the command whose shortcut is shown, null for none. */
export interface TabMenuItem {
  readonly label: string;
  readonly id: string | null;
  readonly run: () => void;
}

/** The components of one kind of tab. */
interface TabParts<T extends OpenTab> {
  readonly Panel: ComponentType<{ readonly tab: T; readonly theme: Theme }>;
  /** Shown at the end of the tab strip. */
  readonly Tools: ComponentType<{ readonly tab: T }>;
  /** Shown in the status bar. */
  readonly Status: ComponentType<{ readonly tab: T }>;
  readonly menu: (workbench: Workbench, tab: T) => readonly (readonly TabMenuItem[])[];
  /** The panel stays in the page behind other tabs, so that its fields keep what was typed. */
  readonly stays?: boolean;
}

export type TabTable = { readonly [K in OpenTab['kind']]: TabParts<Extract<OpenTab, { kind: K }>> };

/** Returns the parts for a tab, typed for any tab because its kind selects them. */
export const partsOf = (table: TabTable, tab: OpenTab): TabParts<OpenTab> => table[tab.kind] as TabParts<OpenTab>;

/** Components in fixed regions of the window. */
export interface RegionTable {
  readonly side: ComponentType;
  readonly below: ComponentType;
  readonly statusEnd: ComponentType;
}

/** What one feature registers. */
export interface Registration {
  readonly commands?: CommandSource;
  readonly dialogs?: Partial<DialogTable>;
  readonly tabs?: Partial<TabTable>;
  readonly regions?: Partial<RegionTable>;
}

/** The registrations of all features. A dialog or tab without a component does not compile. */
export interface Features {
  readonly commands: readonly CommandSource[];
  readonly dialogs: DialogTable;
  readonly tabs: TabTable;
  readonly regions: RegionTable;
}
