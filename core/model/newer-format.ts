import type { DiagnosticCounter } from './diagnostics.ts';

/** Code of the diagnostic of a file in a newer version of its format than Flamebench knows; it lowers the grade. */
export const NEWER_FORMAT = 'newer-format';

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
