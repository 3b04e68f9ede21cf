import type { z } from 'zod';
import { settingsSchema, type Settings } from './settings-schema.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

/**
 * Returns the usable part of stored settings. `problems` names each unusable field, which is replaced by its default,
 * and each field that this version does not know.
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
