import { DEFAULT_SETTINGS, readSettings, type Settings } from '#core/contract/settings.ts';
import { openConfigFile, type ConfigFile } from './config-file.ts';

/** `settings.json`: the fields of {@link Settings} that differ from the defaults, so that better defaults reach everybody else. */
export function openSettingsFile(folder: string): Promise<ConfigFile<Settings>> {
  return openConfigFile({
    folder,
    name: 'settings.json',
    initial: DEFAULT_SETTINGS,
    read: (content) => {
      const { settings, problems } = readSettings(content);
      return { value: settings, problems };
    },
    write: (settings) =>
      Object.fromEntries(Object.entries(settings).filter(([name, value]) => !isDefault(name, value))),
  });
}

const defaults = new Map<string, unknown>(Object.entries(DEFAULT_SETTINGS));

const isDefault = (name: string, value: unknown): boolean =>
  JSON.stringify(defaults.get(name)) === JSON.stringify(value);
