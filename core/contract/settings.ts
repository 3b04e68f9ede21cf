import type { Settings, SettingsChange, ValueTypeDefaults } from './settings-schema.ts';

/** The current arrangement of a window: kept for the next window, but not applied to other open ones. */
export const ARRANGEMENT = [
  'layout',
  'split',
  'sidebarPx',
  'sidebarOpen',
  'terminalPx',
  'detailsPx',
  'detailsOpen',
  'sourcePx',
  'table',
  'tableLayouts',
  'fleets',
  'recentCommands',
] as const satisfies readonly (keyof Settings)[];

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  density: 'compact',
  fontPx: 12.5,
  monoFont: '',
  monoFontPx: 12,
  noteAuthor: '',
  locale: '',
  digits: 3,
  percentDigits: 1,
  names: 'short',
  motion: 'system',
  restoreSession: true,
  singleKeys: true,
  keys: {},
  orientation: 'icicle',
  valueTypes: [],
  kindRules: '',
  layout: 'stacked',
  split: 0.62,
  sidebarPx: 232,
  sidebarOpen: true,
  trashDays: null,
  sourceFolders: [],
  librarySort: 'newest',
  terminalPx: 220,
  detailsPx: 320,
  detailsOpen: true,
  sourcePx: 520,
  table: 'functions',
  tableLayouts: {
    functions: { columns: null, widths: [] },
    tree: { columns: null, widths: [] },
    edges: { columns: null, widths: [] },
    compare: { columns: null, widths: [] },
  },
  fleets: [],
  recentCommands: [],
};

export function changeSettings(settings: Settings, change: SettingsChange): Settings {
  const { keys, valueTypes, ...fields } = change;
  const changed: Settings = { ...settings, ...definedFields(fields) };
  if (keys !== undefined) changed.keys = changeKeys(settings.keys, keys);
  if (valueTypes !== undefined) changed.valueTypes = changeValueTypes(settings.valueTypes, valueTypes);
  return changed;
}

/** Combines two consecutive changes into one. */
export function joinChanges(first: SettingsChange, second: SettingsChange): SettingsChange {
  const joined: SettingsChange = { ...first, ...definedFields(second) };
  if (first.keys !== undefined && second.keys !== undefined) joined.keys = { ...first.keys, ...second.keys };
  if (first.valueTypes !== undefined && second.valueTypes !== undefined) {
    joined.valueTypes = replaceByType(first.valueTypes, second.valueTypes);
  }
  return joined;
}

function changeKeys(keys: Settings['keys'], change: NonNullable<SettingsChange['keys']>): Settings['keys'] {
  const changed = new Map(Object.entries(keys));
  for (const [id, chords] of Object.entries(change)) {
    if (chords === null) changed.delete(id);
    else changed.set(id, chords);
  }
  return Object.fromEntries(changed);
}

const changeValueTypes = (
  current: readonly ValueTypeDefaults[],
  change: readonly ValueTypeDefaults[],
): ValueTypeDefaults[] =>
  replaceByType(current, change).filter(
    ({ tree, orientation, colour, sort }) => tree !== null || orientation !== null || colour !== null || sort !== null,
  );

function replaceByType(
  current: readonly ValueTypeDefaults[],
  change: readonly ValueTypeDefaults[],
): ValueTypeDefaults[] {
  const kept = current.filter(({ type }) => !change.some((one) => one.type === type));
  return [...kept, ...change];
}

/** A field with the value undefined counts as absent. */
function definedFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T> as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
