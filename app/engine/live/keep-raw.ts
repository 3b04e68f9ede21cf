import type { LiveEvent } from '#core/contract/live.ts';
import { messageOf } from '#core/model/failure.ts';
import type { LiveContext, LiveRequest } from './live.types.ts';
import { RawKeeper, type RawFacts } from './raw-keeper.ts';
import { describeLive, type LiveSubject } from './save-snapshot.ts';

/** Returns the keeper of the session's raw output in the library; null if none was requested. */
export function keepRaw(
  { library, collector, clock }: LiveContext,
  { limits: { raw } }: LiveRequest,
  subject: LiveSubject,
  onTrouble: (sentence: string) => void,
): RawKeeper | null {
  if (raw === undefined || library === undefined) return null;
  return new RawKeeper({
    collector,
    maxBytes: raw.maxBytes,
    now: () => clock.now(),
    onTrouble: (reason) => onTrouble(sentence('No more raw output is kept', reason)),
    create: async (files) =>
      library.create({ ...(await describeLive(subject, 'raw output', files)), state: 'recording' }),
  });
}

/** Completes the captures and returns one sentence on each. */
export async function finishRaw(raw: RawKeeper, facts: RawFacts): Promise<Pick<LiveEvent, 'kind' | 'text'>[]> {
  try {
    return (await raw.finish(facts)).map(({ name }) => ({ kind: 'saved', text: `Kept the raw output as ${name}.` }));
  } catch (error) {
    const reason = messageOf(error);
    return [{ kind: 'note', text: sentence('The raw output could not be completed', reason) }];
  }
}

const sentence = (what: string, reason: string): string => `${what}: ${reason.replace(/\.$/, '')}.`;
