import type { Settings } from '#core/contract/settings.ts';
import type { ConfigFile } from './config-file.ts';
import { openRecentFiles, type RecentFiles } from './recent-files.ts';
import { openSettingsFile } from './settings-file.ts';
import { openWindowSessions, type WindowSessions } from './window-sessions.ts';

/** What Flamebench keeps of its user beside the library. */
export interface UserConfig {
  readonly settings: ConfigFile<Settings>;
  readonly recent: RecentFiles;
  readonly sessions: WindowSessions;
  /** What of the files could not be used, and where it is kept. */
  readonly notices: () => readonly string[];
  readonly close: () => void;
}

/** Never rejects: without a readable folder the defaults are used, and `notices` says so. */
export async function openUserConfig(folder: string, library: string): Promise<UserConfig> {
  const settings = await openSettingsFile(folder);
  const recent = await openRecentFiles(folder);
  const sessions = await openWindowSessions(folder, library);
  return {
    settings,
    recent,
    sessions,
    notices: () => [...settings.notices, ...recent.notices, ...sessions.notices],
    close: () => {
      settings.close();
      recent.close();
      sessions.close();
    },
  };
}
