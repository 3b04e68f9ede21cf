import type { ReactElement } from 'react';
import { containerText } from '#core/contract/container-text.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { format } from '../../ui/format.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';

interface CaptureFactsProps {
  readonly profile: OpenedProfile | null;
  /** The capture's document; null for a file outside the library. */
  readonly capture: CaptureDocument | null;
}

/** Maximum number of a file's comments that are shown. */
const MAX_COMMENTS = 20;

/** Lists how the profile was made, from the file and the recording. Unknown facts are omitted. */
export function CaptureFactsPanel({ profile, capture }: CaptureFactsProps): ReactElement | null {
  if (profile === null) return null;
  const { metadata } = profile;
  const { comments } = metadata;
  const rows = factsOf(metadata, capture);
  if (rows.length + comments.length === 0) return null;
  return (
    <section className="details">
      <h3>Capture</h3>
      <dl>
        {rows.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{shown(text)}</dd>
          </div>
        ))}
        {comments.length > 0 && (
          <div>
            <dt>comments</dt>
            <dd>
              {comments.slice(0, MAX_COMMENTS).map((comment, index) => (
                <p key={index}>{shown(comment)}</p>
              ))}
              {comments.length > MAX_COMMENTS && <p className="dim">and {comments.length - MAX_COMMENTS} more</p>}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

const shown = (text: string): string => visibleText(text.slice(0, 500));

const millions = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : value * 1e6;

function factsOf(
  { startTime, durationNs, rateHz, period, tool, toolVersion, executable, hostName }: OpenedProfile['metadata'],
  capture: CaptureDocument | null,
): (readonly [string, string])[] {
  const go = capture?.goProcess;
  const maxProcs = go?.maxProcs ?? null;
  const rate = capture?.rateHz ?? rateHz;
  const started = capture?.startedAt ?? (startTime === null ? null : Number(startTime / 1_000_000n));
  const duration = durationNs ?? millions(capture?.durationMs);
  const facts: (readonly [string, string | null | undefined])[] = [
    ['Go', go?.version],
    ['package', go?.path],
    [
      'GOMAXPROCS',
      maxProcs === null
        ? null
        : `${format.number(maxProcs)} (${go?.isMaxProcsDefault === true ? 'default' : 'environment'})`,
    ],
    ['rate', rate === null ? null : format.value(rate, 'hertz')],
    ['period', period === null ? null : `${format.value(period.value, period.unit)} (${period.type})`],
    ['duration', duration === null || duration === 0 ? null : format.value(duration, 'nanoseconds')],
    ['taken', started === null ? null : new Date(started).toLocaleString()],
    ['tool', tool === null ? null : [tool, toolVersion].filter(Boolean).join(' ')],
    ['program', executable],
    ['container', capture?.container === undefined ? null : containerText(capture.container)],
    ['host', capture?.target?.host ?? hostName],
  ];
  return facts.filter((fact): fact is readonly [string, string] => typeof fact[1] === 'string' && fact[1] !== '');
}
