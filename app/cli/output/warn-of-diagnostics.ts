import type { Diagnostic } from '#core/model/diagnostics.ts';
import { withRemedy } from '#app/engine/failure.ts';
import { isVerbose, warn } from './terminal.ts';

/** Prints each diagnostic on stderr as one line: severity, code, count, first location, and remedy. */
export function warnOfDiagnostics(diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) warn(describeDiagnostic(diagnostic));
}

/**
 * Prints the diagnostics of several captures. What several captures have (the same code) is printed once with their
 * number, unless `-v` is given.
 */
export function warnOfCaptures(
  captures: readonly { readonly name: string; readonly diagnostics: readonly Diagnostic[] }[],
): void {
  const othersWith = recurrences(captures);
  for (const [place, { name, diagnostics }] of captures.entries()) {
    for (const diagnostic of diagnostics) {
      const others = othersWith(place, diagnostic);
      if (others === null) continue;
      warn(`${name}${others === 0 ? '' : ` and ${others} more`}: ${describeDiagnostic(diagnostic)}`);
    }
  }
}

/**
 * Returns a function that counts the other captures with a capture's diagnostic (the same code); null if an earlier
 * capture has it. With `-v` there are no others, so that all are printed.
 */
export function recurrences(
  captures: readonly { readonly diagnostics: readonly Diagnostic[] }[],
): (capture: number, diagnostic: Diagnostic) => number | null {
  if (isVerbose()) return () => 0;
  const holders = new Map<string, Set<number>>();
  for (const [capture, { diagnostics }] of captures.entries()) {
    for (const { code } of diagnostics) holders.set(code, (holders.get(code) ?? new Set()).add(capture));
  }
  return (capture, { code }) => {
    const all = [...holders.get(code)!];
    return all[0] === capture ? all.length - 1 : null;
  };
}

function describeDiagnostic({ severity, code, message, count, first, remedy }: Diagnostic): string {
  const place = first === null ? null : first.line === undefined ? `byte ${first.byte ?? 0}` : `line ${first.line}`;
  const times = count === 1 ? '' : `${count.toLocaleString('en')} times`;
  const where = [times, place === null ? '' : count === 1 ? place : `first at ${place}`].filter(Boolean).join(', ');
  const what = `${severity}: ${message.replace(/\.$/, '')}${where === '' ? '' : ` (${where})`} [${code}]`;
  return withRemedy(what, remedy);
}
