import type { Diagnostic, DiagnosticCounter } from './diagnostics.ts';

const NEWER_FORMAT = 'newer-format';

/**
 * Reports a version above `newest`, the newest one whose layout the importer knows. Such a file is read as far as
 * possible, and its numbers may be wrong without any other sign.
 */
export function reportNewerFormat(
  diagnostics: DiagnosticCounter,
  { format, version, newest }: { readonly format: string; readonly version: number; readonly newest: number },
): void {
  if (!(version > newest)) return;
  const message = `${format} version ${version} is newer than ${newest}, the newest that Flamebench knows; callers, names and weights may be wrong.`;
  diagnostics.add(NEWER_FORMAT, message, {
    remedy: 'Compare the numbers with the tool that wrote the file, or update Flamebench.',
  });
}

/** Returns the best grade that a capture with these diagnostics can have. */
export const bestGrade = (diagnostics: readonly Diagnostic[]): 'good' | 'limited' =>
  diagnostics.some(({ code }) => code === NEWER_FORMAT) ? 'limited' : 'good';
