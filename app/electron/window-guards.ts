import { app, shell } from 'electron';
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
 * elsewhere opens in the user's browser if it is plain https.
 */
export function guardAllPages(engineOrigin: () => string | null): void {
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
    refuseWindows(contents);
  });
}

function refuseWindows(contents: WebContents): void {
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

function openOutside(text: string): void {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return;
  }
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return;
  shell.openExternal(url.href).catch(() => undefined);
}

/** The page may write to the clipboard when the user copies; every other permission is denied. */
export function denyPermissions(session: Session): void {
  const allowed = (permission: string): boolean => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    answer(allowed(permission));
  });
  session.setPermissionCheckHandler((_contents, permission) => allowed(permission));
}
