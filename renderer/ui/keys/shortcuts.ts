import type { Chord } from './chord.ts';

/**
 * Where the focus must be. `window`: anywhere except in a dialog; `calls`: in the graph, the call tree or the
 * functions.
 */
export type KeyPlace = 'window' | 'graph' | 'calls' | 'table' | 'time' | 'tabs' | 'library' | 'search';

export interface Shortcut {
  readonly id: string;
  /** The effect, as listed in the cheat sheet. */
  readonly what: string;
  readonly place: KeyPlace;
  readonly keys: readonly Chord[];
  /** True for keys that belong to the kind of control, such as arrows in a list; they cannot be changed. */
  readonly fixed?: true;
}

export const PLACE_NAMES: Readonly<Record<KeyPlace, string>> = {
  window: 'Window',
  graph: 'Flame graph',
  calls: 'Flame graph, call tree, functions',
  table: 'Tables',
  time: 'Time strip',
  tabs: 'Tabs',
  library: 'Library',
  search: 'Search field',
};

/** All shortcuts of the window. A shortcut whose ID is that of a command runs the command. */
export const SHORTCUTS = [
  { id: 'commands.show', what: 'search commands', place: 'window', keys: ['Mod+K'] },
  { id: 'keys.show', what: 'show all keys', place: 'window', keys: ['F1'] },
  { id: 'settings.show', what: 'settings', place: 'window', keys: ['Mod+,'] },
  { id: 'file.open', what: 'open files', place: 'window', keys: ['Mod+O'] },
  { id: 'record.show', what: 'record', place: 'window', keys: ['Alt+Shift+R'] },
  { id: 'live.show', what: 'watch a process live', place: 'window', keys: ['Alt+Shift+I'] },
  { id: 'live.pause', what: 'pause or resume the live graph', place: 'window', keys: ['Alt+Shift+P'] },
  { id: 'live.pin', what: 'pin this moment as the baseline of the live graph', place: 'window', keys: ['Alt+Shift+B'] },
  { id: 'live.save-spike', what: 'save the last 30 s of the live session', place: 'window', keys: ['Alt+Shift+K'] },
  { id: 'search.focus', what: 'search functions', place: 'window', keys: ['Mod+F'] },
  { id: 'transform.add', what: 'add a transform', place: 'window', keys: ['Alt+Shift+A'] },
  { id: 'view.export', what: 'export current view', place: 'window', keys: ['Mod+Shift+S'] },
  { id: 'region.next', what: 'next part of the window', place: 'window', keys: ['F6'] },
  { id: 'region.previous', what: 'previous part of the window', place: 'window', keys: ['Shift+F6'] },
  { id: 'graph.focus', what: 'to the flame graph', place: 'window', keys: ['Alt+Shift+G'] },
  { id: 'library.focus', what: 'to the library', place: 'window', keys: ['Alt+Shift+L'] },
  { id: 'library.toggle', what: 'show or hide the library', place: 'window', keys: ['Mod+B'] },
  { id: 'terminal.toggle', what: 'show or hide the terminal', place: 'window', keys: ['Mod+J'] },
  { id: 'target.add', what: 'add a target', place: 'window', keys: ['Alt+Shift+H'] },
  { id: 'target.doctor', what: 'check a target', place: 'window', keys: ['Alt+Shift+C'] },
  { id: 'details.toggle', what: 'show or hide the details', place: 'window', keys: ['Alt+Shift+D'] },
  { id: 'tab.next', what: 'next tab', place: 'window', keys: ['Alt+PageDown'] },
  { id: 'tab.previous', what: 'previous tab', place: 'window', keys: ['Alt+PageUp'] },
  { id: 'tab.move-right', what: 'move the tab to the right', place: 'window', keys: ['Alt+Shift+PageDown'] },
  { id: 'tab.move-left', what: 'move the tab to the left', place: 'window', keys: ['Alt+Shift+PageUp'] },
  { id: 'tab.beside', what: 'open the tab to the side', place: 'window', keys: ['Mod+\\'] },
  { id: 'pane.right', what: 'to the pane on the right', place: 'window', keys: ['Alt+Shift+ArrowRight'] },
  { id: 'pane.left', what: 'to the pane on the left', place: 'window', keys: ['Alt+Shift+ArrowLeft'] },
  { id: 'tab.close', what: 'close the tab', place: 'window', keys: ['Alt+Shift+W'] },
  { id: 'tab.reopen', what: 'reopen the closed tab', place: 'window', keys: ['Mod+Shift+T', 'Alt+Shift+T'] },
  { id: 'view.undo', what: 'undo', place: 'window', keys: ['Mod+Z'] },
  { id: 'view.redo', what: 'redo', place: 'window', keys: ['Mod+Shift+Z', 'Mod+Y'] },
  { id: 'compare.swap', what: 'swap before and after', place: 'window', keys: ['Alt+Shift+S'] },
  { id: 'view.split', what: 'split the view', place: 'window', keys: ['Alt+Shift+V'] },
  { id: 'view.next', what: 'next view', place: 'window', keys: ['Alt+Shift+N'] },
  { id: 'view.close', what: 'close the view', place: 'window', keys: ['Alt+Shift+X'] },

  { id: 'graph.up', what: 'frame above', place: 'graph', keys: ['ArrowUp'] },
  { id: 'graph.down', what: 'frame below', place: 'graph', keys: ['ArrowDown'] },
  { id: 'graph.left', what: 'frame to the left', place: 'graph', keys: ['ArrowLeft'] },
  { id: 'graph.right', what: 'frame to the right', place: 'graph', keys: ['ArrowRight'] },
  { id: 'graph.zoom', what: 'zoom to the selected frame', place: 'graph', keys: ['Enter'] },
  { id: 'graph.back', what: 'zoom back', place: 'graph', keys: ['Escape', 'Backspace'] },
  { id: 'graph.home', what: 'show everything', place: 'graph', keys: ['Home'] },
  { id: 'graph.nearer', what: 'zoom in around the frame', place: 'graph', keys: ['+', '='] },
  { id: 'graph.farther', what: 'zoom out around the frame', place: 'graph', keys: ['-', '_'] },
  { id: 'graph.pan-left', what: 'pan left', place: 'graph', keys: ['Shift+ArrowLeft'] },
  { id: 'graph.pan-right', what: 'pan right', place: 'graph', keys: ['Shift+ArrowRight'] },
  { id: 'graph.search', what: 'search functions', place: 'graph', keys: ['/'] },
  { id: 'graph.next-match', what: 'next match', place: 'graph', keys: ['N'] },
  { id: 'graph.previous-match', what: 'previous match', place: 'graph', keys: ['Shift+N'] },
  { id: 'graph.invert', what: 'flame or icicle', place: 'graph', keys: ['I'] },
  { id: 'graph.copy', what: 'copy the stack', place: 'graph', keys: ['C'] },
  { id: 'graph.copy-name', what: 'copy the name', place: 'graph', keys: ['Shift+C'] },
  { id: 'graph.copy-folded', what: 'copy the stack as a folded line', place: 'graph', keys: ['Alt+C'] },
  { id: 'graph.menu', what: 'menu of the frame', place: 'graph', keys: ['Shift+F10', 'ContextMenu'] },
  { id: 'tree.top-down', what: 'top-down', place: 'graph', keys: ['1'] },
  { id: 'tree.bottom-up', what: 'bottom-up', place: 'graph', keys: ['2'] },
  { id: 'tree.time-order', what: 'in time order', place: 'graph', keys: ['3'] },
  { id: 'tree.sandwich', what: 'sandwich of the function', place: 'graph', keys: ['4'] },
  { id: 'thread.next', what: 'next thread', place: 'graph', keys: [']'] },
  { id: 'thread.previous', what: 'previous thread', place: 'graph', keys: ['['] },
  { id: 'thread.choose', what: 'choose threads', place: 'graph', keys: ['T'] },
  { id: 'graph.swap', what: 'swap before and after, in a comparison', place: 'graph', keys: ['X'] },
  { id: 'layout.alone', what: 'show only the graph, or graph and tables', place: 'graph', keys: ['G'] },
  { id: 'graph.details', what: 'show or hide the details', place: 'graph', keys: ['D'] },
  { id: 'graph.keys', what: 'show all keys', place: 'graph', keys: ['?'] },

  { id: 'note.add', what: 'add a note', place: 'calls', keys: ['A'] },
  { id: 'transform.focus', what: 'focus on the function', place: 'calls', keys: ['F'] },
  { id: 'transform.focus-subtree', what: 'focus on the subtree', place: 'calls', keys: ['Shift+F'] },
  { id: 'transform.focus-self', what: 'focus on the function’s self weight', place: 'calls', keys: ['S'] },
  { id: 'transform.hide', what: 'hide stacks with the function', place: 'calls', keys: ['H'] },
  { id: 'transform.hide-subtree', what: 'hide the subtree', place: 'calls', keys: ['Shift+H'] },
  { id: 'transform.only', what: 'only stacks with the function', place: 'calls', keys: ['O'] },
  { id: 'transform.merge', what: 'merge the function into its callers', place: 'calls', keys: ['M'] },
  { id: 'transform.merge-frame', what: 'merge the frame into its caller', place: 'calls', keys: ['Shift+M'] },
  { id: 'transform.recursion', what: 'collapse recursion of the function', place: 'calls', keys: ['R'] },
  { id: 'transform.direct-recursion', what: 'collapse its direct recursion', place: 'calls', keys: ['Shift+R'] },
  { id: 'transform.below', what: 'collapse the function’s callees', place: 'calls', keys: ['B'] },
  { id: 'transform.module', what: 'collapse its module', place: 'calls', keys: ['Shift+B'] },
  { id: 'transform.kind', what: 'merge its kind of code into callers', place: 'calls', keys: ['K'] },
  { id: 'transform.only-kind', what: 'only frames of its kind of code', place: 'calls', keys: ['Shift+K'] },

  {
    id: 'table.move',
    what: 'move between rows',
    place: 'table',
    keys: ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'],
    fixed: true,
  },
  {
    id: 'table.activate',
    what: 'focus on the function, zoom to the row',
    place: 'table',
    keys: ['Enter'],
    fixed: true,
  },
  { id: 'table.extend', what: 'select several rows', place: 'table', keys: ['Shift+ArrowDown', 'Mod+A'], fixed: true },
  { id: 'table.toggle', what: 'add a row to the selection', place: 'table', keys: ['Mod+Space'], fixed: true },
  { id: 'table.copy', what: 'copy the rows', place: 'table', keys: ['Mod+C'], fixed: true },
  {
    id: 'table.open',
    what: 'open and close, in the call tree',
    place: 'table',
    keys: ['ArrowRight', 'ArrowLeft'],
    fixed: true,
  },
  { id: 'table.type', what: 'type to go to the row that starts with it', place: 'table', keys: ["'"] },
  { id: 'table.open-below', what: 'open everything below', place: 'table', keys: ['*', 'Alt+ArrowRight'], fixed: true },
  { id: 'table.hot-path', what: 'open the hot path', place: 'table', keys: ['Shift+ArrowRight'], fixed: true },
  { id: 'table.match', what: 'next and previous match', place: 'table', keys: ['F3', 'Shift+F3'], fixed: true },
  { id: 'table.menu', what: 'menu of the row', place: 'table', keys: ['Shift+F10', 'ContextMenu'], fixed: true },

  { id: 'time.move', what: 'move the range', place: 'time', keys: ['ArrowLeft', 'ArrowRight'], fixed: true },
  {
    id: 'time.size',
    what: 'resize the range',
    place: 'time',
    keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'],
    fixed: true,
  },
  { id: 'time.all', what: 'clear the range', place: 'time', keys: ['Escape'], fixed: true },
  { id: 'time.nearer', what: 'zoom in', place: 'time', keys: ['+', '='] },
  { id: 'time.farther', what: 'zoom out', place: 'time', keys: ['-', '_'] },
  { id: 'time.whole', what: 'show all time', place: 'time', keys: ['0'] },
  { id: 'time.to-range', what: 'zoom to the range', place: 'time', keys: ['Z'] },
  { id: 'time.earlier', what: 'pan to earlier', place: 'time', keys: ['PageUp'] },
  { id: 'time.later', what: 'pan to later', place: 'time', keys: ['PageDown'] },
  { id: 'time.commit', what: 'zoom into the range', place: 'time', keys: ['C'] },
  { id: 'time.out', what: 'zoom out of the range', place: 'time', keys: ['Backspace'] },
  { id: 'time.stack', what: 'select the stack in the middle of the range', place: 'time', keys: ['S'] },
  { id: 'time.range', what: 'the range as numbers', place: 'time', keys: ['Enter'] },
  { id: 'time.mark', what: 'marks', place: 'time', keys: ['M'] },
  { id: 'time.note', what: 'add a note on the range', place: 'time', keys: ['A'] },

  {
    id: 'tabs.choose',
    what: 'select a tab',
    place: 'tabs',
    keys: ['ArrowLeft', 'ArrowRight', 'Home', 'End'],
    fixed: true,
  },
  { id: 'tabs.close', what: 'close it', place: 'tabs', keys: ['Delete'], fixed: true },
  { id: 'tabs.menu', what: 'menu of the tab', place: 'tabs', keys: ['Shift+F10', 'ContextMenu'], fixed: true },

  { id: 'library.open', what: 'open the capture', place: 'library', keys: ['Enter'], fixed: true },
  { id: 'library.rename', what: 'rename it', place: 'library', keys: ['F2'], fixed: true },
  { id: 'library.trash', what: 'move it to the trash', place: 'library', keys: ['Delete'], fixed: true },
  {
    id: 'library.menu',
    what: 'menu of the capture',
    place: 'library',
    keys: ['Shift+F10', 'ContextMenu'],
    fixed: true,
  },

  { id: 'search.next', what: 'next match', place: 'search', keys: ['Enter'], fixed: true },
  { id: 'search.previous', what: 'previous match', place: 'search', keys: ['Shift+Enter'], fixed: true },
  { id: 'search.clear', what: 'clear, then to the graph', place: 'search', keys: ['Escape'], fixed: true },
] as const satisfies readonly Shortcut[];

export type ShortcutId = (typeof SHORTCUTS)[number]['id'];

/** What the pointer does, for the cheat sheet. */
export const POINTER_ROWS: readonly (readonly [string, string, KeyPlace])[] = [
  ['Click', 'zoom to the frame', 'graph'],
  ['Ctrl wheel', 'zoom around the pointer', 'graph'],
  ['Drag · Shift wheel', 'pan', 'graph'],
  ['Right click', 'menu of the frame', 'graph'],
  ['Drag', 'select a range', 'time'],
  ['Ctrl wheel', 'zoom around the pointer', 'time'],
  ['Shift wheel', 'pan', 'time'],
  ['Drag', 'reorder; at an edge: open to the side', 'tabs'],
  ['Middle click', 'close it', 'tabs'],
];
