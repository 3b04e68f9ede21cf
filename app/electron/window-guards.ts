import { app, dialog, shell, type Session } from 'electron';

/** Returns whether a page is the workbench: only at the engine's own address. */
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
 * Restricts every page of the app: it stays at the engine's address, opens no window and embeds no `<webview>`. A link
 * elsewhere opens in the user's browser if it is plain https and the user confirms its address.
 */
export function guardAllPages(engineOrigin: () => string | null): void {
  const openOutside = createOpener();
  app.on('web-contents-created', (_created, contents) => {
    const stayHere = (event: { preventDefault(): void }, url: string): void => {
      if (originOf(url) === engineOrigin()) return;
      event.preventDefault();
      openOutside(url);
    };
    contents.on('will-navigate', (event, url) => stayHere(event, url));
    contents.on('will-redirect', (event, url) => stayHere(event, url));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url);
      return { action: 'deny' };
    });
  });
}

/** Maximum length of an address in the dialog, enough for a host and a path. */
const SHOWN_ADDRESS = 500;

/** Shows one question at a time, so that a page cannot flood the user with dialogs. */
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
    // Enter, which may have been meant for the page, opens nothing.
    defaultId: 1,
    cancelId: 1,
  });
  if (response === 0) await shell.openExternal(href).catch(() => undefined);
}

/** Accepts only plain https URLs without credentials; international names are converted to ASCII. */
function httpsUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null;
  } catch {
    return null;
  }
}

/** Allows the page to write to the clipboard when the user copies; denies all other permissions. */
export function denyPermissions(session: Session): void {
  const allowed = (permission: string): boolean => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => allowed(permission));
}
