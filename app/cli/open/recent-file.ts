import { openRecentFiles } from '#app/engine/config/recent-files.ts';
import { inputError } from '../errors.ts';

/** Path of the file that was opened last, of those that are still there. */
export async function newestRecentFile(configFolder: string): Promise<string> {
  const recent = await openRecentFiles(configFolder);
  try {
    for (const { id } of recent.list()) {
      const found = await recent.find(id).catch(() => null);
      if (found !== null) return found.path;
    }
  } finally {
    recent.close();
  }
  throw inputError('none of the recent files still exists', 'name one: flamebench open FILE');
}
