import { createRedactor, findReplacements, type Redaction } from '../redact/identities.ts';
import type { Profile } from '../model/profile.ts';
import { redactProfile, type CountedReplacement } from '../report/redact-report.ts';

/** Kinds that a push replaces; command lines and containers are not stored. */
export const FLEET_REDACTIONS = ['home', 'user', 'host', 'paths', 'kernel-addresses'] as const satisfies Redaction[];

export interface RedactedCapture {
  readonly profile: Profile;
  readonly apply: (text: string) => string;
  readonly replaced: readonly CountedReplacement[];
}

/**
 * Replaces identities in the names of a profile as reports do. `texts` are names and paths that are stored with it;
 * `hosts` are replaced in all of them.
 */
export function redactCapture(
  profile: Profile,
  texts: readonly string[],
  hosts: readonly string[],
  kinds: ReadonlySet<Redaction>,
): RedactedCapture {
  const replacements = findReplacements(
    { symbols: [...profile.strings, ...profile.events], prose: texts, written: [], hosts, users: [], containers: [] },
    kinds,
  );
  const redactor = createRedactor(replacements);
  const redacted = redactProfile(profile, redactor);
  texts.forEach(redactor.apply);
  return {
    profile: redacted,
    apply: redactor.apply,
    replaced: replacements
      .map((one, place) => ({ ...one, count: redactor.counts[place]! }))
      .filter(({ count }) => count > 0),
  };
}
