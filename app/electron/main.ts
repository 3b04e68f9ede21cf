import { app, BrowserWindow, dialog, ipcMain, Menu } from 'electron';
import path from 'node:path';
import { startEngineProcess, type EngineProcess } from './engine-process.ts';
import { buildMenu, type RecentMenuFile } from './menu.ts';
import { denyPermissions, guardAllPages, isWorkbench } from './window-guards.ts';
import { keepWindowState, MINIMUM, readWindowState } from './window-state.ts';

/** Extensions of the importers, inserted by the bundler (scripts/build.ts). */
declare const PROFILE_EXTENSIONS: readonly string[];

const appFolder = path.resolve(__dirname, '..', '..');
let engine: EngineProcess | null = null;
/** `http://<16 random letters>.localhost:<port>` of the running engine. */
let origin: string | null = null;
let window: BrowserWindow | null = null;
let quitting = false;
/** True while the user is asked about running recordings. */
let asking = false;
/** Files that the system named before the engine was running. */
let earlyFiles = filesOf(process.argv, process.cwd());

/** Returns the files among the words of a command line; switches belong to Electron. */
function filesOf(argv: readonly string[], folder: string): string[] {
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  return words.slice(process.defaultApp ? 1 : 0).map((word) => path.resolve(folder, word));
}

function openFiles(files: readonly string[]): void {
  if (engine === null) earlyFiles.push(...files);
  else if (files.length > 0) engine.openFiles(files);
}

async function askForFiles(): Promise<void> {
  if (window === null) return;
  const { filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name: 'Profiles and experiments', extensions: [...PROFILE_EXTENSIONS, 'flamebench-experiment'] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  openFiles(filePaths);
}

function showMenu(recent: readonly RecentMenuFile[]): void {
  Menu.setApplicationMenu(
    buildMenu(
      {
        openFiles: () => void askForFiles(),
        openRecent: (id) => engine?.openRecent(id),
        command: (id) => window?.webContents.send('flamebench:command', id),
      },
      recent,
    ),
  );
}

async function start(): Promise<void> {
  engine = startEngineProcess({
    folder: appFolder,
    files: earlyFiles,
    onEnd: (reason) => void engineEnded(reason),
    onRecent: showMenu,
  });
  earlyFiles = [];
  // Creating the window takes as long as starting the engine, so both run in parallel; it is shown with its first page.
  window ??= createWindow();
  const url = await engine.url;
  origin = new URL(url).origin;
  showWindow(url);
}

async function engineEnded(reason: string): Promise<void> {
  engine = null;
  if (quitting) return;
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'The Flamebench engine exited.',
    detail: `${reason}\nYour captures are in the library; a running recording is kept there, marked incomplete.`,
    buttons: ['Restart engine', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 1) app.quit();
  else await start();
}

function showWindow(url: string): void {
  if (window === null) window = createWindow();
  window.loadURL(url).catch(() => undefined);
}

function createWindow(): BrowserWindow {
  const { maximized, ...bounds } = readWindowState();
  const created = new BrowserWindow({
    ...bounds,
    minWidth: MINIMUM.width,
    minHeight: MINIMUM.height,
    show: false,
    title: 'Flamebench',
    webPreferences: {
      preload: path.join(__dirname, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  denyPermissions(created.webContents.session);
  keepWindowState(created);
  if (maximized) created.maximize();
  created.once('ready-to-show', () => created.show());
  created.on('close', (event) => {
    if (quitting || (engine?.recordings() ?? 0) === 0) return;
    event.preventDefault();
    void quit();
  });
  created.on('closed', () => {
    window = null;
  });
  created.webContents.on('render-process-gone', () => void pageCrashed(created));
  return created;
}

/** Ends the engine and the app, unless the user wants to go on with a recording. */
async function quit(): Promise<void> {
  if (asking || quitting || engine === null) return;
  asking = true;
  const choice = await askAboutRecordings(engine.recordings());
  asking = false;
  if (choice === 'cancel') return;
  quitting = true;
  await engine.stop(choice === 'discard');
  app.quit();
}

async function askAboutRecordings(count: number): Promise<'keep' | 'discard' | 'cancel'> {
  if (count === 0) return 'keep';
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: count === 1 ? 'A recording is running.' : `${count} recordings are running.`,
    detail: 'Closing Flamebench ends recordings. What is kept goes to the library.',
    buttons: ['Stop and keep', 'Discard', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  });
  return (['keep', 'discard'] as const)[response] ?? 'cancel';
}

async function pageCrashed(crashed: BrowserWindow): Promise<void> {
  if (quitting || crashed.isDestroyed()) return;
  await dialog.showMessageBox(crashed, {
    type: 'error',
    message: 'The Flamebench window crashed.',
    buttons: ['Reload window'],
  });
  crashed.reload();
}

function secondInstance(argv: readonly string[], folder: string): void {
  openFiles(filesOf(argv, folder));
  if (window === null) return;
  if (window.isMinimized()) window.restore();
  window.focus();
}

// Chromium's sandbox refuses to start for root, who starts Electron with this switch.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
// Resolves the engine's name to the address that it has bound, also on machines without IPv6, without asking a
// resolver.
app.commandLine.appendSwitch('host-resolver-rules', 'MAP *.localhost 127.0.0.1');
guardAllPages(() => origin);
if (app.requestSingleInstanceLock()) {
  app.on('second-instance', (_event, argv, folder) => secondInstance(argv, folder));
  app.on('open-file', (event, file) => {
    event.preventDefault();
    openFiles([file]);
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (quitting || engine === null) return;
    event.preventDefault();
    void quit();
  });
  ipcMain.handle('flamebench:open-files', async (event) => {
    if (origin !== null && isWorkbench(event.sender.getURL(), origin)) await askForFiles();
  });
  ipcMain.on('flamebench:open-dropped', (event, paths: unknown) => {
    if (origin === null || !isWorkbench(event.sender.getURL(), origin) || !Array.isArray(paths)) return;
    openFiles(paths.filter((file): file is string => typeof file === 'string' && path.isAbsolute(file)));
  });
  void app.whenReady().then(async () => {
    showMenu([]);
    await start();
  });
} else {
  app.quit();
}
