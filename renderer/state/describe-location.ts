import type { SourceLocation } from '#core/model/diagnostics.ts';
import { count } from '../ui/format.ts';

/** ` (line 12)`, ` (byte 4,096)` or nothing. */
export function describeLocation(location: SourceLocation | null): string {
  if (location?.line !== undefined) return ` (line ${count(location.line)})`;
  if (location?.byte !== undefined) return ` (byte ${count(location.byte)})`;
  return '';
}
