import type { SourceLocation } from '#core/model/diagnostics.ts';

/** ` (line 12)`, ` (byte 4,096)` or nothing. */
export function describeLocation(location: SourceLocation | null): string {
  if (location?.line !== undefined) return ` (line ${location.line.toLocaleString()})`;
  if (location?.byte !== undefined) return ` (byte ${location.byte.toLocaleString()})`;
  return '';
}
