import type { RecordingOutcome } from '#collectors/collector.ts';
import { isUnknown } from '#collectors/target/target.ts';

/** Returns whether the collector's end on the target was seen. */
export const isKnown = ({ exit }: RecordingOutcome): boolean => exit !== null && !isUnknown(exit);

/** Returns whether it was cut off by the loss of the connection. */
export const isLinkLost = ({ exit }: RecordingOutcome): boolean => exit !== null && isUnknown(exit);

/** Returns one sentence; `otherwise` if the outcome says nothing. */
export function describeEnd(outcome: RecordingOutcome, otherwise: string): string {
  const { error, diagnostics } = outcome;
  if (error !== null) return `${capital(error.message)}.`;
  if (isLinkLost(outcome)) return 'The link to the target was lost.';
  const [first] = diagnostics;
  return first === undefined ? otherwise : `${first.message.replace(/\.$/, '')}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');
