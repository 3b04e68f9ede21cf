import { app, Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  readonly openFiles: () => void;
}

/** The application's menu. Keys that act on what is in the page are the page's own. */
export function buildMenu(actions: MenuActions): Menu {
  const mac = process.platform === 'darwin';
  const appMenu: MenuItemConstructorOptions[] = mac ? [{ role: 'appMenu' }] : [];
  return Menu.buildFromTemplate([
    ...appMenu,
    {
      label: '&File',
      submenu: [
        { label: '&Open…', accelerator: 'CmdOrCtrl+O', click: actions.openFiles },
        { type: 'separator' },
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'reload' },
        { role: 'toggleDevTools' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [{ label: `Flamebench ${app.getVersion()}`, enabled: false }],
    },
  ]);
}
