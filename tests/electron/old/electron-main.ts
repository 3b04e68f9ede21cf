import { app } from 'electron';
import { forkUtility } from '../../support/utility-process.ts';
import { ENGINE_NODE } from './engine-node.ts';

/** What the shell's main process needs of a current Electron and Electron 9 lacks. */
export const utilityProcess = {
  fork: (script: string, args: readonly string[]) =>
    forkUtility(script, args, { execPath: process.env[ENGINE_NODE] ?? 'node' }),
};

type WindowOpenHandler = (details: { readonly url: string }) => unknown;

/** Has an event instead of a handler. */
interface OldContents {
  on(name: 'new-window', listener: (event: Event, url: string) => void): void;
  setWindowOpenHandler?: (handler: WindowOpenHandler) => void;
}

app.on('web-contents-created', (_created, contents) => {
  const old = contents as unknown as OldContents;
  old.setWindowOpenHandler = (handler) =>
    old.on('new-window', (event, url) => {
      event.preventDefault();
      handler({ url });
    });
});
