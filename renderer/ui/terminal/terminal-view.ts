import { Terminal } from '@xterm/xterm';
import type { ITheme } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { adoptStyles } from './adopted-styles.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalViewOptions {
  readonly label: string;
  /** Only called while input is open. */
  readonly onInput: (text: string) => void;
  /** True: the key is the window's, not the terminal's. */
  readonly isWindowKey: (event: KeyboardEvent) => boolean;
}

/** An xterm in an element: text that a filter has passed, and input that can be shut. */
export interface TerminalView {
  /** Null: what was written is no more. */
  readonly write: (text: string | null) => void;
  readonly setInput: (open: boolean) => void;
  /** As many rows and columns as have room; returns what ssh is to be told. */
  readonly fit: () => TerminalSize;
  readonly focus: () => void;
  readonly dispose: () => void;
}

/** Lines kept above those in view. */
const SCROLLBACK = 2000;
/** The contract takes no less. */
const MIN_COLUMNS = 20;
const MIN_ROWS = 4;

/** Loads xterm's own code with it: import it when a terminal is first shown. */
export function openTerminalView(box: HTMLElement, options: TerminalViewOptions): TerminalView {
  const terminal = new Terminal({
    ...fontOf(box),
    theme: themeOf(box),
    scrollback: SCROLLBACK,
    screenReaderMode: true,
    cursorStyle: 'bar',
    cursorInactiveStyle: 'outline',
    disableStdin: true,
    linkHandler: null,
    windowOptions: {},
    allowProposedApi: false,
  });
  terminal.open(box);
  const endStyles = adoptStyles(box);
  terminal.textarea?.setAttribute('aria-label', options.label);
  terminal.attachCustomKeyEventHandler((event) => !isForTheBrowser(terminal, event) && !options.isWindowKey(event));
  // The theme and the sizes of the settings are attributes of the document.
  const look = new MutationObserver(() => {
    terminal.options = { ...fontOf(box), theme: themeOf(box) };
  });
  look.observe(document.documentElement, { attributes: true });
  let isOpen = false;
  terminal.onData((text) => {
    if (isOpen) options.onInput(text);
  });

  return {
    write: (text) => {
      if (text === null) terminal.reset();
      else terminal.write(text);
    },
    setInput: (open) => {
      isOpen = open;
      terminal.options = { disableStdin: !open };
      terminal.write(open ? SHOW_CURSOR : HIDE_CURSOR);
    },
    fit: () => {
      const cell = box.querySelector('.xterm-screen')?.getBoundingClientRect();
      const { width, height } = roomOf(box);
      if (cell === undefined || cell.width === 0 || width <= 0) return sizeFor(terminal);
      const columns = Math.floor(width / (cell.width / terminal.cols));
      const rows = Math.floor(height / (cell.height / terminal.rows));
      terminal.resize(Math.max(1, columns), Math.max(1, rows));
      return sizeFor(terminal);
    },
    focus: () => {
      terminal.focus();
    },
    dispose: () => {
      look.disconnect();
      terminal.dispose();
      endStyles();
    },
  };
}

/** DECTCEM, past the filter of what hosts write: where a cursor shows, keys do something. */
const SHOW_CURSOR = '\u001b[?25h';
const HIDE_CURSOR = '\u001b[?25l';

const SCROLLBAR_PX = 12;

/** CSS pixels that rows may fill. */
function roomOf(box: HTMLElement): { width: number; height: number } {
  const style = getComputedStyle(box);
  const sum = (...sides: string[]): number => sides.reduce((all, side) => all + Number.parseFloat(side), 0);
  return {
    width: box.clientWidth - sum(style.paddingLeft, style.paddingRight) - SCROLLBAR_PX,
    height: box.clientHeight - sum(style.paddingTop, style.paddingBottom),
  };
}

/** What ssh is told: with fewer, the last line would be out of sight, so fewer are drawn all the same. */
const sizeFor = ({ cols, rows }: Terminal): TerminalSize => ({
  columns: Math.max(MIN_COLUMNS, cols),
  rows: Math.max(MIN_ROWS, rows),
});

/** Tab moves the focus on, as everywhere; copying and pasting are the browser's. */
function isForTheBrowser(terminal: Terminal, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key === 'Tab') return true;
  if (!(ctrlKey || metaKey) || altKey) return false;
  return key.toLowerCase() === 'v' || (key.toLowerCase() === 'c' && terminal.hasSelection());
}

const token = (box: HTMLElement, name: string): string => getComputedStyle(box).getPropertyValue(name).trim();

function fontOf(box: HTMLElement): { fontFamily: string; fontSize: number; lineHeight: number } {
  const scale = Number(token(box, '--mono-scale')) || 1;
  return { fontFamily: token(box, '--mono'), fontSize: 12 * scale, lineHeight: 1.25 };
}

/** The host chooses among colours of the window's that can all be read on its ground. */
function themeOf(box: HTMLElement): ITheme {
  const of = (name: string): string => token(box, `--${name}`);
  const hues = {
    red: of('danger'),
    green: of('ok'),
    yellow: of('warn'),
    blue: of('focus-text'),
    magenta: of('accent-text'),
    cyan: of('shrank-text'),
  };
  return {
    background: of('bg'),
    foreground: of('text'),
    cursor: of('accent'),
    cursorAccent: of('bg'),
    selectionBackground: of('focus-segment'),
    scrollbarSliderBackground: of('line'),
    scrollbarSliderHoverBackground: of('line-strong'),
    scrollbarSliderActiveBackground: of('line-strong'),
    black: of('faint'),
    white: of('text'),
    brightBlack: of('dim'),
    brightWhite: of('text'),
    ...hues,
    brightRed: hues.red,
    brightGreen: hues.green,
    brightYellow: hues.yellow,
    brightBlue: hues.blue,
    brightMagenta: hues.magenta,
    brightCyan: hues.cyan,
  };
}
