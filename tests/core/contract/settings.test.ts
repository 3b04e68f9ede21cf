import { describe, expect, it } from 'vitest';
import { changeSettings, DEFAULT_SETTINGS, joinChanges } from '#core/contract/settings.ts';
import { readSettings } from '#core/contract/read-settings.ts';
import { settingsChangeSchema, settingsSchema } from '#core/contract/settings-schema.ts';
import type { SettingsChange } from '#core/contract/settings-schema.ts';

const cpu = { type: 'cpu-clock', tree: 'bottom-up' as const, orientation: null, colour: null, sort: null };
const heap = { type: 'alloc_space', tree: null, orientation: 'icicle' as const, colour: null, sort: null };

describe('changeSettings', () => {
  it('changes the given fields, and only the given entries of keys and value types', () => {
    const keys = { 'graph.copy': ['Y'], 'graph.invert': [] };
    const settings = changeSettings(DEFAULT_SETTINGS, { keys, valueTypes: [cpu, heap], theme: 'dark' });
    const changed = changeSettings(settings, {
      keys: { 'graph.copy': null, 'file.open': ['Mod+P'] },
      valueTypes: [{ ...cpu, tree: null }],
      digits: 4,
    });
    expect(changed).toEqual({
      ...DEFAULT_SETTINGS,
      theme: 'dark',
      digits: 4,
      keys: { 'graph.invert': [], 'file.open': ['Mod+P'] },
      valueTypes: [heap],
    });
  });

  it('joins changes into one with the same effect', () => {
    const changes: SettingsChange[] = [
      { theme: 'dark', keys: { 'graph.copy': ['Y'] } },
      { keys: { 'graph.copy': null, 'graph.home': ['G'] }, valueTypes: [cpu] },
      { theme: 'light', valueTypes: [heap, { ...cpu, sort: 'self' }] },
      { valueTypes: [{ ...heap, orientation: null }], theme: undefined },
    ];
    const inSeparateTasks = changes.reduce(changeSettings, DEFAULT_SETTINGS);
    expect(changeSettings(DEFAULT_SETTINGS, changes.reduce(joinChanges))).toEqual(inSeparateTasks);
    expect(settingsSchema.parse(inSeparateTasks)).toEqual(inSeparateTasks);
  });
});

describe('limits', () => {
  it('include the defaults', () => {
    expect(settingsSchema.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
    expect(readSettings(DEFAULT_SETTINGS)).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
  });

  it('keep an earlier version’s table layouts, and add the missing one', () => {
    const functions = { columns: ['function', 'self'], widths: [] };
    const { tree, edges, compare } = DEFAULT_SETTINGS.tableLayouts;
    const { settings, problems } = readSettings({ tableLayouts: { functions, tree, edges } });
    expect(problems).toEqual([]);
    expect(settings.tableLayouts).toEqual({ functions, tree, edges, compare });
  });

  it('add no field to a change', () => {
    expect(settingsChangeSchema.parse({})).toEqual({});
  });

  it.each([
    { fontPx: 3 },
    { monoFont: 'a; background: url(x)' },
    { locale: '../de' },
    { keys: { __proto__x: ['A'] } },
    { keys: { 'graph.copy': Array.from({ length: 9 }, () => 'A') } },
    { split: Number.NaN },
    { valueTypes: [{ ...cpu, tree: 'sideways' }] },
  ])('refuse %j', (change) => {
    expect(settingsChangeSchema.safeParse(change).success).toBe(false);
  });
});
