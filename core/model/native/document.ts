import { captureQuality } from '../capture-quality.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Label, Profile, ProfileMetadata, ValueType } from '../profile.ts';
import type { CaptureQuality } from '../quality-grade.ts';

/**
 * The parts of a profile that are not columns: the native file's JSON section. Integers beyond 2^53 are decimal
 * strings.
 */
export interface NativeDocument {
  readonly valueTypes: readonly ValueType[];
  readonly events: readonly string[];
  readonly labelSets: readonly (readonly Label[])[];
  readonly metadata: ProfileMetadata;
  readonly diagnostics: readonly Diagnostic[];
  /** For readers of this section alone; null in files of older versions, and without samples. */
  readonly quality: CaptureQuality | null;
}

export function documentOf(profile: Profile): NativeDocument {
  const { valueTypes, events, samples, metadata, diagnostics } = profile;
  const quality = captureQuality(profile);
  return { valueTypes, events, labelSets: samples.labelSets, metadata, diagnostics, quality };
}

export function documentToJson(document: NativeDocument): string {
  return JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
