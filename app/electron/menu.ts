import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { RecentFile } from '#core/contract/session.ts';

/** A recent file, as listed in the menu. */
export type RecentMenuFile = Pick<RecentFile, 'id' | 'fileName' | 'folderName'>;

interface MenuActions {
  readonly openFiles: () => void;
  readonly openRecent: (id: string) => void;
  /** Runs a command of the page by its ID. */
  readonly command: (id: string) => void;
}

/**
 * Builds the application's menu. Shortcuts for the page's content belong to the page, where users can change them, so
 * the menu shows none of them.
 */
export function buildMenu(actions: MenuActions, recent: readonly RecentMenuFile[]): Menu {
  const mac = process.platform === 'darwin';
  const command = (label: string, id: string): MenuItemConstructorOptions => ({
    label,
    click: () => actions.command(id),
  });
  const line: MenuItemConstructorOptions = { type: 'separator' };
  return Menu.buildFromTemplate([
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: '&Open…', click: actions.openFiles },
        command('Open a &URL…', 'url.open'),
        { label: 'Open &Recent', submenu: recentItems(actions, recent) },
        command('&Record…', 'record.show'),
        command('&Watch live…', 'live.show'),
        command('Loa&d tests…', 'load.open'),
        command('&Fleet…', 'fleet.open'),
        command('&Add a target…', 'target.add'),
        line,
        command('&Keep in the library', 'tab.keep'),
        command('&Close tab', 'tab.close'),
        command('Reopen closed &tab', 'tab.reopen'),
        line,
        command('&Settings…', 'settings.show'),
        line,
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        command('Search &commands', 'commands.show'),
        command('Search &functions', 'search.focus'),
        command('&Library', 'library.toggle'),
        command('&Terminal', 'terminal.toggle'),
        command('&Details', 'details.toggle'),
        command('Open tab to the &side', 'tab.beside'),
        line,
        { role: 'reload' },
        { role: 'toggleDevTools' },
        line,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        line,
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        command('&First minute', 'guide.open'),
        command('&Keys', 'keys.show'),
        line,
        { label: `Flamebench ${app.getVersion()}`, enabled: false },
      ],
    },
  ]);
}

/** Number of recent files in the menu; the page's palette lists more. */
const RECENT_SHOWN = 10;

function recentItems(actions: MenuActions, recent: readonly RecentMenuFile[]): MenuItemConstructorOptions[] {
  if (recent.length === 0) return [{ label: 'No recent files', enabled: false }];
  return recent.slice(0, RECENT_SHOWN).map(({ id, fileName, folderName }) => ({
    label: menuText(folderName === '' ? fileName : `${fileName} (in ${folderName})`),
    click: () => actions.openRecent(id),
  }));
}

/** Escapes ampersands, which mark the access key in a menu. */
const menuText = (text: string): string => text.slice(0, 120).split('&').join('&&');
