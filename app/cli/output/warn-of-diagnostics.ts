import type { Diagnostic } from '#core/model/diagnostics.ts';
import { withRemedy } from '../report-error.ts';
import { warn } from './terminal.ts';

/** Prints each diagnostic on stderr as one line: severity, code, count, first location, and remedy. */
export function warnOfDiagnostics(diagnostics: readonly Diagnostic[], name?: string): void {
  const prefix = name === undefined ? '' : `${name}: `;
  for (const diagnostic of diagnostics) {
    warn(prefix + describeDiagnostic(diagnostic));
  }
}

function describeDiagnostic({ severity, code, message, count, first, remedy }: Diagnostic): string {
  const place = first === null ? null : first.line === undefined ? `byte ${first.byte ?? 0}` : `line ${first.line}`;
  const times = count === 1 ? '' : `${count.toLocaleString('en')} times`;
  const where = [times, place === null ? '' : count === 1 ? place : `first at ${place}`].filter(Boolean).join(', ');
  const what = `${severity}: ${message.replace(/\.$/, '')}${where === '' ? '' : ` (${where})`} [${code}]`;
  return withRemedy(what, remedy);
}
