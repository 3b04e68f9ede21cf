import { Terminal, type ITheme } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { document as strictDocument } from './xterm-globals.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

interface TerminalViewOptions {
  readonly label: string;
  /** Called only while input is enabled. */
  readonly onInput: (text: string) => void;
  /** Returns true if the key belongs to the window instead of the terminal. */
  readonly isWindowKey: (event: KeyboardEvent) => boolean;
}

/** An xterm in an element: shows filtered text, and input can be disabled. */
export interface TerminalView {
  /** Writes text; null clears the terminal. */
  readonly write: (text: string | null) => void;
  readonly setInput: (open: boolean) => void;
  /** Fits rows and columns to the element and returns the size to report to ssh. */
  readonly fit: () => TerminalSize;
  readonly focus: () => void;
  readonly dispose: () => void;
}

/** Number of lines kept above the visible ones. */
const SCROLLBACK = 2000;
/** Minimum size that the contract accepts. */
const MIN_COLUMNS = 20;
const MIN_ROWS = 4;

/** Opens a terminal view. This module includes xterm, so import it when a terminal is first shown. */
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
    documentOverride: strictDocument,
  });
  terminal.open(box);
  const endStyles = adoptStyles(box);
  terminal.textarea?.setAttribute('aria-label', options.label);
  terminal.attachCustomKeyEventHandler((event) => !isForTheBrowser(terminal, event) && !options.isWindowKey(event));
  // The theme and the sizes of the settings are attributes of the document element.
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
    focus: () => terminal.focus(),
    dispose: () => {
      look.disconnect();
      terminal.dispose();
      endStyles();
    },
  };
}

/** DECTCEM sequences, which bypass the filter: the cursor is visible only while input is enabled. */
const SHOW_CURSOR = '\u001b[?25h';
const HIDE_CURSOR = '\u001b[?25l';

const SCROLLBAR_PX = 12;

/** Returns the size available to rows, in CSS pixels. */
function roomOf(box: HTMLElement): { width: number; height: number } {
  const style = getComputedStyle(box);
  const sum = (...sides: string[]): number => sides.reduce((all, side) => all + Number.parseFloat(side), 0);
  return {
    width: box.clientWidth - sum(style.paddingLeft, style.paddingRight) - SCROLLBAR_PX,
    height: box.clientHeight - sum(style.paddingTop, style.paddingBottom),
  };
}

/**
 * Returns the size to report to ssh, at least the minimum; if there is less room, fewer rows are drawn so that the last
 * line stays visible.
 */
const sizeFor = ({ cols, rows }: Terminal): TerminalSize => ({
  columns: Math.max(MIN_COLUMNS, cols),
  rows: Math.max(MIN_ROWS, rows),
});

/** Returns whether the browser handles a key: Tab moves the focus, as everywhere, and it copies and pastes. */
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

/** Returns the window's colours, among which the host chooses; all are readable on the background. */
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

/**
 * Applies the styles that xterm writes into templates inside `box` (xterm-globals.ts), now and later,
 * as an adopted style sheet. Returns the function that ends this.
 */
function adoptStyles(box: HTMLElement): () => void {
  const written = [...box.querySelectorAll('template')];
  const sheet = new CSSStyleSheet();
  const adopt = (): void => sheet.replaceSync(written.map(({ textContent }) => textContent).join('\n'));
  const observer = new MutationObserver(adopt);
  for (const one of written) observer.observe(one, { childList: true, characterData: true, subtree: true });
  adopt();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    observer.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}
