import { z } from 'zod';

/** How graphs of one value type begin; null: as the profile suggests. */
const valueTypeDefaultsSchema = z.object({
  /** Name of the value type: `cpu-clock`, `alloc_space`. */
  type: z.string().min(1).max(200),
  tree: z.enum(['top-down', 'bottom-up', 'time-order']).nullable(),
  orientation: z.enum(['flame', 'icicle']).nullable(),
  colour: z.string().min(1).max(40).nullable(),
  /** Column by which tables are sorted. */
  sort: z.enum(['self', 'total', 'name', 'module']).nullable(),
});
export type ValueTypeDefaults = z.infer<typeof valueTypeDefaultsSchema>;

const chordsSchema = z.array(z.string().min(1).max(60)).max(4);

/** Which columns a table shows, in which order and how wide. */
const tableLayoutSchema = z.object({
  /** Ids; null: the table's own choice. */
  columns: z.array(z.string().max(40)).max(40).nullable(),
  /** CSS pixels by column. */
  widths: z.array(z.tuple([z.string().max(40), z.number().min(20).max(2000)])).max(40),
});
export type TableLayout = z.infer<typeof tableLayoutSchema>;

/** `settings.json`: how the user likes the window. Each field has its limits, so that none can make the window unusable. */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['compact', 'comfortable']),
  /** CSS pixels of ordinary text. */
  fontPx: z.number().min(10).max(18),
  /** Family of names and numbers; empty: the window's own. No quotes or separators: it becomes a part of a style. */
  monoFont: z
    .string()
    .max(100)
    .regex(/^[\p{L}\p{N} _-]*$/u),
  monoFontPx: z.number().min(9).max(18),
  /** BCP 47; empty: the system's. */
  locale: z
    .string()
    .max(35)
    .regex(/^[A-Za-z0-9-]*$/),
  /** Significant digits of scaled values. */
  digits: z.number().int().min(2).max(6),
  /** Decimals of shares. */
  percentDigits: z.number().int().min(0).max(3),
  motion: z.enum(['system', 'reduced']),
  restoreSession: z.boolean(),
  /** False: no key that writes a character does anything. */
  singleKeys: z.boolean(),
  /** Chords by shortcut; an empty list switches one off. */
  keys: z.record(
    z
      .string()
      .max(60)
      .regex(/^[a-z][a-z0-9.-]*$/),
    chordsSchema,
  ),
  valueTypes: z.array(valueTypeDefaultsSchema).max(200),
  layout: z.enum(['stacked', 'beside']),
  /** Share of the height (stacked) or width (beside) that the graph takes. */
  split: z.number().min(0.1).max(0.9),
  sidebarPx: z.number().min(160).max(480),
  sidebarOpen: z.boolean(),
  /** Height of the terminal. */
  terminalPx: z.number().min(110).max(800),
  detailsPx: z.number().min(220).max(700),
  detailsOpen: z.boolean(),
  /** Width of source and code, which stand beside everything else. */
  sourcePx: z.number().min(260).max(1000),
  /** Which table shows. */
  table: z.enum(['functions', 'tree', 'edges']),
  tableLayouts: z.object({
    functions: tableLayoutSchema,
    tree: tableLayoutSchema,
    edges: tableLayoutSchema,
    // Settings that an earlier version wrote have none.
    compare: tableLayoutSchema.default({ columns: null, widths: [] }),
  }),
  /** Newest first. */
  recentCommands: z.array(z.string().max(60)).max(20),
});
export type Settings = z.infer<typeof settingsSchema>;

/** How a window is arranged at the moment: kept for the next one, but not imposed on others that are open. */
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
  'recentCommands',
] as const satisfies readonly (keyof Settings)[];

/**
 * A change of some fields: the others stay as whoever changed them last left them. In `keys` and `valueTypes` only the entries named
 * change; null takes a shortcut's entry out, nulls alone a value type's.
 */
export const settingsChangeSchema = settingsSchema
  .omit({ keys: true })
  .extend({
    keys: z.record(
      z
        .string()
        .max(60)
        .regex(/^[a-z][a-z0-9.-]*$/),
      chordsSchema.nullable(),
    ),
  })
  .partial();
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  density: 'compact',
  fontPx: 12.5,
  monoFont: '',
  monoFontPx: 12,
  locale: '',
  digits: 3,
  percentDigits: 1,
  motion: 'system',
  restoreSession: true,
  singleKeys: true,
  keys: {},
  valueTypes: [],
  layout: 'stacked',
  split: 0.62,
  sidebarPx: 232,
  sidebarOpen: true,
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
  recentCommands: [],
};

export function changeSettings(settings: Settings, change: SettingsChange): Settings {
  const { keys, valueTypes, ...fields } = change;
  const changed: Settings = { ...settings, ...definedFields(fields) };
  if (keys !== undefined) changed.keys = changeKeys(settings.keys, keys);
  if (valueTypes !== undefined) changed.valueTypes = changeValueTypes(settings.valueTypes, valueTypes);
  return changed;
}

/** Two changes, one after the other, as one. */
export function joinChanges(first: SettingsChange, second: SettingsChange): SettingsChange {
  const joined: SettingsChange = { ...first, ...definedFields(second) };
  if (first.keys !== undefined && second.keys !== undefined) joined.keys = { ...first.keys, ...second.keys };
  if (first.valueTypes !== undefined && second.valueTypes !== undefined) {
    joined.valueTypes = replaceByType(first.valueTypes, second.valueTypes);
  }
  return joined;
}

/**
 * What of stored settings can be used; `problems` names each field that can't, for which the default stands in, and each that this
 * version does not know.
 */
export function readSettings(stored: unknown): { settings: Settings; problems: string[] } {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    return { settings: DEFAULT_SETTINGS, problems: ['it has no settings'] };
  }
  const problems: string[] = [];
  let settings = DEFAULT_SETTINGS;
  const fields = new Map<string, z.ZodType>(Object.entries(settingsSchema.shape));
  for (const [name, value] of Object.entries(stored)) {
    const field = fields.get(name);
    const parsed = field?.safeParse(value);
    if (parsed === undefined) problems.push(`${name.slice(0, 60)} is not a setting of this version`);
    else if (parsed.success) settings = { ...settings, [name]: parsed.data };
    else problems.push(`${name} is out of range`);
  }
  return { settings, problems };
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

/** A key that is there with no value is as good as absent. */
function definedFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T> as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
