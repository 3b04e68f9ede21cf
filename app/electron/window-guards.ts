import { app, dialog, shell } from 'electron';
import type { Session, WebContents } from 'electron';

/** Whether a page of this URL is the workbench: exactly the engine's own address. */
export function isWorkbench(url: string, origin: string): boolean {
  return originOf(url) === origin;
}

function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}

/**
 * Holds for every page that the app ever makes: it stays at the engine's address, opens no window, embeds no `<webview>`. A link
 * elsewhere opens in the user's browser if it is plain https and the user, who is shown its address, clicks so.
 */
export function guardAllPages(engineOrigin: () => string | null): void {
  const openOutside = createOpener();
  app.on('web-contents-created', (_created, contents) => {
    const stayHere = (event: { preventDefault(): void }, url: string): void => {
      if (originOf(url) === engineOrigin()) return;
      event.preventDefault();
      openOutside(url);
    };
    contents.on('will-navigate', (event, url) => {
      stayHere(event, url);
    });
    contents.on('will-redirect', (event, url) => {
      stayHere(event, url);
    });
    contents.on('will-attach-webview', (event) => {
      event.preventDefault();
    });
    refuseWindows(contents, openOutside);
  });
}

function refuseWindows(contents: WebContents, openOutside: (text: string) => void): void {
  // Electron before 12, which only the smoke test drives, has an event in its place.
  if (typeof contents.setWindowOpenHandler === 'function') {
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url);
      return { action: 'deny' };
    });
    return;
  }
  const older = contents as unknown as { on(name: 'new-window', listener: (event: Event, url: string) => void): void };
  older.on('new-window', (event, url) => {
    event.preventDefault();
    openOutside(url);
  });
}

/** Longer addresses are cut in the dialog: a host and a path fit, and nobody reads more. */
const SHOWN_ADDRESS = 500;

/** Asks one question at a time: a page can't bury the user in dialogs. */
function createOpener(): (text: string) => void {
  let isAsking = false;
  return (text) => {
    const url = httpsUrl(text);
    if (url === null || isAsking) return;
    isAsking = true;
    void askToOpen(url).finally(() => {
      isAsking = false;
    });
  };
}

async function askToOpen({ host, href }: URL): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: `Open ${host} in your browser?`,
    detail: href.length > SHOWN_ADDRESS ? `${href.slice(0, SHOWN_ADDRESS)}…` : href,
    buttons: ['Open', 'Cancel'],
    // Enter, which may be meant for the page, opens nothing.
    defaultId: 1,
    cancelId: 1,
  });
  if (response === 0) await shell.openExternal(href).catch(() => undefined);
}

/** Plain https alone, without a login; international names come out in ASCII. */
function httpsUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null;
  } catch {
    return null;
  }
}

/** The page may write to the clipboard when the user copies; every other permission is denied. */
export function denyPermissions(session: Session): void {
  const allowed = (permission: string): boolean => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    answer(allowed(permission));
  });
  session.setPermissionCheckHandler((_contents, permission) => allowed(permission));
}
