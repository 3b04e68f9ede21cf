import type { ReactElement } from 'react';
import { qualityLines, type CaptureQuality } from '#core/model/quality-grade.ts';

/** The grade of a capture, next to its name; nothing if it is good or unknown. */
export function GradeBadge({ quality }: { quality: CaptureQuality | undefined | null }): ReactElement | null {
  if (quality === undefined || quality === null || quality.grade === 'good') return null;
  return (
    <span className={quality.grade === 'poor' ? 'badge danger' : 'badge warn'} title={qualityLines(quality).join('\n')}>
      {quality.grade}
    </span>
  );
}
