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
  /** As many rows and columns as have room. */
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
    cursorBlink: false,
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
      terminal.options = { disableStdin: !open, cursorStyle: 'bar', cursorInactiveStyle: open ? 'outline' : 'none' };
    },
    fit: () => {
      const screen = box.querySelector('.xterm-screen');
      const cell = screen?.getBoundingClientRect();
      if (cell === undefined || cell.width === 0 || box.clientWidth === 0) return sizeOf(terminal);
      const columns = Math.floor((box.clientWidth - SCROLLBAR_PX) / (cell.width / terminal.cols));
      const rows = Math.floor(box.clientHeight / (cell.height / terminal.rows));
      terminal.resize(Math.max(MIN_COLUMNS, columns), Math.max(MIN_ROWS, rows));
      return sizeOf(terminal);
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

const SCROLLBAR_PX = 12;

const sizeOf = ({ cols, rows }: Terminal): TerminalSize => ({ columns: cols, rows });

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
