import * as z from 'zod';
import { MAX_RULES_LENGTH } from '../analyze/summary/kind-rules.ts';
import { MAX_NOTE_AUTHOR } from './limits.ts';

/** Initial settings of graphs of one value type; null: as the profile suggests. */
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

/** Columns of a table, their order and widths. */
const tableLayoutSchema = z.object({
  /** Ids; null: the table's default. */
  columns: z.array(z.string().max(40)).max(40).nullable(),
  /** CSS pixels by column. */
  widths: z.array(z.tuple([z.string().max(40), z.number().min(20).max(2000)])).max(40),
});
export type TableLayout = z.infer<typeof tableLayoutSchema>;

/** The name of a shortcut. */
const shortcutSchema = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9.-]*$/);

/**
 * `settings.json`: the user's preferences for the window. Each field has limits, so that none can make the window
 * unusable. Fields have no defaults here, which each {@link settingsChangeSchema} would set again.
 */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['compact', 'comfortable']),
  /** CSS pixels of ordinary text. */
  fontPx: z.number().min(10).max(18),
  /**
   * Font family of names and numbers; empty: the window's default. No quotes or separators, because it becomes part of
   * a style.
   */
  monoFont: z
    .string()
    .max(100)
    .regex(/^[\p{L}\p{N} _-]*$/u),
  monoFontPx: z.number().min(9).max(18),
  /** Stands on new notes; empty: no name. */
  noteAuthor: z.string().max(MAX_NOTE_AUTHOR),
  /** BCP 47; empty: the system's. */
  locale: z
    .string()
    .max(35)
    .regex(/^[A-Za-z0-9-]*$/),
  /** Significant digits of scaled values. */
  digits: z.number().int().min(2).max(6),
  /** Decimals of shares. */
  percentDigits: z.number().int().min(0).max(3),
  /** `short` elides arguments and namespaces of names that do not fit. */
  names: z.enum(['short', 'full']),
  motion: z.enum(['system', 'reduced']),
  restoreSession: z.boolean(),
  /** False: keys that type a character are not shortcuts. */
  singleKeys: z.boolean(),
  /** Key chords by shortcut; an empty list disables one. */
  keys: z.record(shortcutSchema, chordsSchema),
  /** Orientation of new graphs, unless their value type has its own. */
  orientation: z.enum(['flame', 'icicle']),
  valueTypes: z.array(valueTypeDefaultsSchema).max(200),
  /** The rules of the summary's kinds (core/analyze/summary/kind-rules.ts), as text; empty: the usual ones. */
  kindRules: z.string().max(MAX_RULES_LENGTH),
  layout: z.enum(['stacked', 'beside']),
  /** Share of the height (stacked) or width (side by side) that the graph takes. */
  split: z.number().min(0.1).max(0.9),
  sidebarPx: z.number().min(160).max(480),
  sidebarOpen: z.boolean(),
  /** Days after which an item of the trash is deleted permanently; null: never. */
  trashDays: z.number().int().min(1).max(3650).nullable(),
  /**
   * Folders of projects of whose source files the text is shown, for captures recorded here: absolute, links followed.
   */
  sourceFolders: z.array(z.string().min(1).max(4096)).max(1000),
  /** Order of the library's captures. */
  librarySort: z.enum(['newest', 'name', 'largest', 'tag']),
  /** Height of the terminal. */
  terminalPx: z.number().min(110).max(800),
  detailsPx: z.number().min(220).max(700),
  detailsOpen: z.boolean(),
  /** Width of source and code, which are next to everything else. */
  sourcePx: z.number().min(260).max(1000),
  /** The visible table. */
  table: z.enum(['functions', 'tree', 'edges']),
  tableLayouts: z.object({
    functions: tableLayoutSchema,
    tree: tableLayoutSchema,
    edges: tableLayoutSchema,
    // Settings of earlier versions lack it.
    compare: tableLayoutSchema.default({ columns: null, widths: [] }),
  }),
  /** Paths of fleets that were opened, newest first. */
  fleets: z.array(z.string().min(1).max(4096)).max(10),
  /** Newest first. */
  recentCommands: z.array(z.string().max(60)).max(20),
});
export type Settings = z.infer<typeof settingsSchema>;

/**
 * A change of some fields; the others keep their latest values. In `keys` and `valueTypes` only the given entries
 * change; null removes a shortcut's entry, and an entry of only nulls removes a value type's.
 */
export const settingsChangeSchema = settingsSchema
  .omit({ keys: true })
  .extend({ keys: z.record(shortcutSchema, chordsSchema.nullable()) })
  .partial();
export type SettingsChange = z.infer<typeof settingsChangeSchema>;
