import { CONTROL, escapePrompt } from '#core/contract/escape-controls.ts';

/**
 * What a host prints, cut down to what may act on the pane: text, line ends, tabs, backspace, and of the escape sequences the erasing of a
 * line and colours that stay readable. The rest is dropped and counted: clipboard (OSC 52), links (OSC 8), titles, window operations, queries
 * that a terminal would answer into a prompt, mouse and paste modes, cursor moves, hidden text. Bidirectional, zero-width and other controls
 * of Unicode are counted, too, and shown as `\u202e`.
 */
export interface HostTextFilter {
  /** What of a piece of output to show. Sequences may be divided between pieces. */
  readonly pass: (piece: string) => string;
  /** Sequences and control characters dropped so far. */
  readonly dropped: () => number;
}

/** Longest parameters of a sequence that is let through; those of colours and of erasing are shorter. */
const MAX_PARAMETERS = 64;
/** Stands for longer ones: parameters of no sequence that is let through begin so. */
const TOO_LONG = '?';
/** A command string (OSC, DCS …) ends here or with its line, so that one that is never closed hides no prompt. */
const MAX_STRING = 4096;

/** Escape sequences by how they begin: ESC [ has parameters, ESC ] and its like a string, others one more character. */
type State = 'text' | 'escape' | 'intermediate' | 'parameters' | 'string' | 'string-escape';

export function createHostTextFilter(): HostTextFilter {
  let state: State = 'text';
  let parameters = '';
  let length = 0;
  let dropped = 0;
  /** The first half of a character whose other half is in the next piece. */
  let half = '';

  /** Takes one character; returns what of it, or of the sequence that it ends, is shown. */
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

  /** Of a sequence that is not let through. */
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

  /** The escape character ended the string, and begins something of its own. */
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

/** Reset, bold, italic, underlined and off, and the sixteen colours of text: no backgrounds, nothing hidden, faint or blinking. */
const HARMLESS_STYLES = /^(?:(?:0?[0134]?|2[234]|3[0-79]|9[0-7])(?:;|$))*$/;

const isHarmless = (parameters: string, final: string): boolean =>
  final === 'm' ? HARMLESS_STYLES.test(parameters) : final === 'K' && /^[012]?$/.test(parameters);
