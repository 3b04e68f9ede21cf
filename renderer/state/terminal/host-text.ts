import { CONTROL, escapePrompt } from '#core/contract/escape-controls.ts';

/**
 * Reduces a host's output to what is safe in the pane: text, line ends, tabs, backspace, erasing within a line, and
 * readable colours. Everything else is dropped and counted: clipboard (OSC 52), links (OSC 8), titles, window
 * operations, queries that a terminal would answer into a prompt, mouse and paste modes, cursor movement and hidden
 * text. Bidirectional, zero-width and other Unicode controls are counted too, and shown as `\u202e`.
 */
interface HostTextFilter {
  /** Returns the part of a piece of output to show. Sequences may span pieces. */
  readonly pass: (piece: string) => string;
  /** Number of sequences and control characters dropped so far. */
  readonly dropped: () => number;
}

/** Maximum length of a sequence's parameters; those of colours and of erasing are shorter. */
const MAX_PARAMETERS = 64;
/** Replaces longer parameters; no accepted sequence has parameters that begin with it. */
const TOO_LONG = '?';
/**
 * A command string (OSC, DCS …) ends after this many characters or at the end of its line, so that an unterminated one
 * cannot hide a prompt.
 */
const MAX_STRING = 4096;

/**
 * Escape sequences by how they begin: `ESC [` takes parameters, `ESC ]` and similar ones a string, others one more
 * character.
 */
type State = 'text' | 'escape' | 'intermediate' | 'parameters' | 'string' | 'string-escape';

export function createHostTextFilter(): HostTextFilter {
  let state: State = 'text';
  let parameters = '';
  let length = 0;
  let dropped = 0;
  /** High surrogate whose other half is in the next piece. */
  let half = '';

  /** Processes one character and returns what to show of it, or of the sequence that it completes. */
  function take(character: string): string {
    const code = character.charCodeAt(0);
    if (code === 0x18 || code === 0x1a) return end();
    if (code === 0x1b && state !== 'string') return begin();
    switch (state) {
      case 'text':
        return takeText(character, code);
      case 'escape':
        return takeKind(character, code);
      case 'intermediate':
        return code >= 0x30 || code < 0x20 ? end() : '';
      case 'parameters':
        return takeParameter(character, code);
      case 'string':
        return takeString(code);
      case 'string-escape':
        return character === '\\' ? end() : takeKindAfterString(character, code);
    }
  }

  function begin(): string {
    if (state !== 'text') dropped += 1;
    state = 'escape';
    return '';
  }

  /** Ends a sequence that is dropped. */
  function end(): string {
    if (state !== 'text') dropped += 1;
    state = 'text';
    return '';
  }

  function takeText(character: string, code: number): string {
    if (KEPT.includes(character) || !CONTROL.test(character)) return character;
    dropped += 1;
    return code <= 0x9f ? '' : escapePrompt(character);
  }

  function takeKind(character: string, code: number): string {
    if (character === '[') {
      state = 'parameters';
      parameters = '';
    } else if (']PX^_'.includes(character)) {
      state = 'string';
      length = 0;
    } else if (code >= 0x20 && code < 0x30) state = 'intermediate';
    else return end();
    return '';
  }

  /** Handles the character after an escape that ended a string and begins a new sequence. */
  function takeKindAfterString(character: string, code: number): string {
    dropped += 1;
    state = 'escape';
    return takeKind(character, code);
  }

  function takeParameter(character: string, code: number): string {
    if (code < 0x20 || code > 0x7e) {
      end();
      return takeText(character, code);
    }
    if (code < 0x40) {
      parameters = parameters.length < MAX_PARAMETERS ? parameters + character : TOO_LONG;
      return '';
    }
    if (!isHarmless(parameters, character)) return end();
    state = 'text';
    return `\u001b[${parameters}${character}`;
  }

  function takeString(code: number): string {
    length += 1;
    if (code === 0x1b) state = 'string-escape';
    else if (code === 0x0a || code === 0x0d) return `${end()}\r\n`;
    else if (code === 0x07 || code === 0x9c || length > MAX_STRING) return end();
    return '';
  }

  return {
    pass: (piece) => {
      const whole = half + piece;
      half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? '';
      let shown = '';
      for (const character of whole.slice(0, whole.length - half.length)) shown += take(character);
      return shown;
    },
    dropped: () => dropped,
  };
}

/** Backspace, tab and line ends, as in {@link escapePrompt}. */
const KEPT = '\b\t\n\r';

/**
 * Reset; bold, italic, underline and their ends; and the sixteen text colours. Backgrounds and hidden, faint or
 * blinking text are excluded.
 */
const HARMLESS_STYLES = /^(?:(?:0?[0134]?|2[234]|3[0-79]|9[0-7])(?:;|$))*$/;

const isHarmless = (parameters: string, final: string): boolean =>
  final === 'm' ? HARMLESS_STYLES.test(parameters) : final === 'K' && /^[012]?$/.test(parameters);
