import { EventEmitter } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { keepWindowState, readWindowState } from '#app/electron/window-state.ts';
import { tempFolder } from '../engine/support/temp-folder.ts';

let folder = '';
vi.mock('electron', () => ({
  app: { getPath: () => folder },
  screen: { getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }) },
}));

const bounds = { x: 10, y: 20, width: 1000, height: 700 };
const file = (): string => join(folder, 'window.json');

function close(): void {
  const window = Object.assign(new EventEmitter(), { getNormalBounds: () => bounds, isMaximized: () => true });
  keepWindowState(window as unknown as BrowserWindow);
  window.emit('close');
}

beforeEach(() => {
  folder = tempFolder();
});

test('stores the window’s position in a private file, whatever the umask, even if it was readable before', () => {
  const umask = process.umask(0);
  try {
    close();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    chmodSync(file(), 0o666);
    close();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  } finally {
    process.umask(umask);
  }
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ ...bounds, maximized: true });
  expect(readWindowState()).toEqual({ ...bounds, maximized: true });
});

test.each(['', '{', 'null', '[]', '{"x":"a"}', '{"x":1e9,"y":0,"width":1000,"height":700,"maximized":false}'])(
  'opens the window at its initial position if the file is damaged: %j',
  (text) => {
    writeFileSync(file(), text);
    expect(readWindowState()).toMatchObject({ width: 1440, height: 960, maximized: false });
  },
);
