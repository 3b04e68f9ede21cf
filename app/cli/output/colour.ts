/** Colours that every terminal has, by their SGR codes. */
const CODES = { bold: '1', red: '31', green: '32', yellow: '33', blue: '34' } as const;

/** What of a line has which colour; the first match of each pattern in a line. */
export type Paints = readonly (readonly [pattern: RegExp, colour: keyof typeof CODES])[];

/** Verdicts of a comparison; signs say the same without colour. */
export const VERDICTS: Paints = [
  [/[▲△] [a-z]+/, 'red'],
  [/[▼▽] [a-z]+/, 'blue'],
];

/** Returns text with colours. It must be escaped before, so that it contains no other control sequences. */
export function painted(text: string, paints: Paints): string {
  const line = (one: string): string =>
    paints.reduce(
      (done, [pattern, colour]) => done.replace(pattern, (found) => `\u001b[${CODES[colour]}m${found}\u001b[0m`),
      one,
    );
  return text.split('\n').map(line).join('\n');
}

export const COLOUR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColourChoice = (typeof COLOUR_CHOICES)[number];

/** Returns whether output is in colour: by choice, else on a terminal that has it, unless NO_COLOR is set. */
export function usesColour(choice: ColourChoice, isTerminal: boolean, env: NodeJS.ProcessEnv = process.env): boolean {
  if (choice !== 'auto') return choice === 'always';
  const { NO_COLOR: refused = '', TERM: term = '' } = env;
  return isTerminal && refused === '' && term !== 'dumb';
}
