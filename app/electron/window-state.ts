import { app, screen, type BrowserWindow, type Rectangle } from 'electron';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { overwriteSync } from '#collectors/effects/overwrite.ts';

interface WindowState extends Partial<Rectangle> {
  readonly width: number;
  readonly height: number;
  readonly maximized: boolean;
}

/** The content is above 900 px high, below which the window folds its parts. */
const INITIAL: WindowState = { width: 1440, height: 960, maximized: false };
/** Minimum size of the window; below it, panes overlap. */
export const MINIMUM = { width: 720, height: 480 };

const file = (): string => path.join(app.getPath('userData'), 'window.json');

/** Returns the window's last position if it is still on a screen. */
export function readWindowState(): WindowState {
  try {
    const saved: unknown = JSON.parse(readFileSync(file(), 'utf8'));
    return isWindowState(saved) && isOnScreen(saved) ? saved : INITIAL;
  } catch {
    return INITIAL;
  }
}

function isWindowState(value: unknown): value is WindowState & Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Record<string, unknown> = { ...value };
  const numbers = ['x', 'y', 'width', 'height'].every((name) => Number.isSafeInteger(fields[name]));
  return numbers && typeof fields['maximized'] === 'boolean';
}

function isOnScreen(window: Rectangle): boolean {
  const { workArea } = screen.getDisplayMatching(window);
  const inside =
    window.x < workArea.x + workArea.width &&
    window.y < workArea.y + workArea.height &&
    window.x + window.width > workArea.x &&
    window.y + window.height > workArea.y;
  return inside && window.width >= MINIMUM.width && window.height >= MINIMUM.height;
}

/** Saves the window's position when it closes. Failures are ignored. */
export function keepWindowState(window: BrowserWindow): void {
  window.on('close', () => {
    const state: WindowState = { ...window.getNormalBounds(), maximized: window.isMaximized() };
    try {
      overwriteSync(file(), JSON.stringify(state));
    } catch {
      // a read-only or full disk
    }
  });
}
