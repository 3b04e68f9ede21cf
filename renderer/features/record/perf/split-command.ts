export type SplitCommand =
  | { readonly ok: true; readonly argv: string[] }
  | { readonly ok: false; readonly message: string };

/**
 * Splits a typed command into an argv by the quoting rules of a POSIX shell: blanks divide, single quotes keep everything, double
 * quotes and backslashes as usual. Nothing is expanded, since no shell runs it; what only a shell could do is refused, not passed on.
 */
export function splitCommand(text: string): SplitCommand {
  const argv: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (/\s/.test(character)) {
      if (word !== null) argv.push(word);
      word = null;
      at += 1;
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(text, at);
      if (quoted === null) return { ok: false, message: `The quote ${character} is not closed.` };
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (character === '\\') {
      if (at + 1 >= text.length) return { ok: false, message: 'The command ends with a backslash.' };
      word = (word ?? '') + text[at + 1]!;
      at += 2;
    } else if ('|&;<>()$`'.includes(character)) {
      return {
        ok: false,
        message: `${character} needs a shell, and no shell runs the command. Quote it, or launch a shell: sh -c '…'.`,
      };
    } else {
      word = (word ?? '') + character;
      at += 1;
    }
  }
  if (word !== null) argv.push(word);
  return { ok: true, argv };
}

/** The text between a quote and its partner, and where it ends; null where there is none. */
function readQuoted(text: string, start: number): { text: string; end: number } | null {
  const quote = text[start]!;
  let inside = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return { text: inside, end: at + 1 };
    const escapes = quote === '"' && text[at] === '\\' && /["\\$`]/.test(text[at + 1] ?? '');
    if (escapes) at += 1;
    inside += text[at]!;
  }
  return null;
}
