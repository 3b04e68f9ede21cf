import { CONTROL } from './escape-controls.ts';

/**
 * Formats an argv as one line that a shell (POSIX 2024: bash, zsh, ksh) splits into the same argv. For display and for
 * pasting only: Flamebench never passes it to a shell. Control characters become `$'…'` escapes, so that a line stays a
 * line.
 */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map(quoteArgument).join(' ');
}

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

function quoteArgument(argument: string, index: number): string {
  if (CONTROL.test(argument)) return `$'${[...argument].map(escapeCharacter).join('')}'`;
  if (PLAIN.test(argument) && !(index === 0 && ASSIGNMENT.test(argument))) return argument;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

function escapeCharacter(character: string): string {
  if (character === '\\' || character === "'") return `\\${character}`;
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  if (!CONTROL.test(character)) return character;
  const bytes = new TextEncoder().encode(character);
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
