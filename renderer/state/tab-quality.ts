import { withLost, type CaptureQuality } from '#core/model/quality-grade.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { OpenedProfile } from '../analysis/profile/protocol.ts';

/** How far an opened capture can be trusted: its file, and what the recording lost. Null until it is open, and without samples. */
export function tabQuality(profile: OpenedProfile | null, capture: CaptureDocument | null): CaptureQuality | null {
  if (profile === null || profile.quality === null) return null;
  return withLost(profile.quality, profile.sampleCount, capture?.lostSamples ?? 0);
}
