import { DEFAULT_SETTINGS } from '#core/contract/settings.ts';
import { readSettings } from '#core/contract/read-settings.ts';
import type { Settings } from '#core/contract/settings-schema.ts';
import { openConfigFile, type ConfigFile } from './config-file.ts';
import { openReportTemplates, type ReportTemplates } from './report-templates.ts';
import { openRecentFiles, type RecentFiles } from './recent-files.ts';
import { openWindowSessions, type WindowSessions } from './window-sessions.ts';

/** The user's files that Flamebench keeps outside the library. */
export interface UserConfig {
  readonly settings: ConfigFile<Settings>;
  readonly recent: RecentFiles;
  readonly sessions: WindowSessions;
  readonly templates: ReportTemplates;
  /** Returns which parts of the files were unusable, and where they were copied. */
  readonly notices: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens the files. Never rejects: if the folder is unreadable, defaults are used and `notices` reports it. */
export async function openUserConfig(folder: string, library: string): Promise<UserConfig> {
  const settings = await openSettingsFile(folder);
  const recent = await openRecentFiles(folder);
  const sessions = await openWindowSessions(folder, library);
  const templates = await openReportTemplates(folder);
  return {
    settings,
    recent,
    sessions,
    templates,
    notices: () => [...settings.notices, ...recent.notices, ...sessions.notices, ...templates.notices],
    close: async () => {
      await Promise.all([settings.close(), recent.close(), sessions.close(), templates.close()]);
    },
  };
}

/**
 * Opens `settings.json`, which contains only the {@link Settings} that differ from the defaults, so that improved
 * defaults reach all other users.
 */
export function openSettingsFile(folder: string): Promise<ConfigFile<Settings>> {
  return openConfigFile({
    folder,
    name: 'settings.json',
    initial: DEFAULT_SETTINGS,
    fields: [...defaults.keys()],
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
