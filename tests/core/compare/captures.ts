import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from '#core/compare/match/match-rules.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';

/** Makes a capture with these samples and facts; everything else is unknown. */
export function captureOf(
  profile: Profile,
  facts: Partial<CaptureFacts> = {},
  valueType: ValueTypeIndex = profile.metadata.defaultValueType,
): ComparedCapture {
  const { metadata } = profile;
  return {
    profile,
    selection: wholeProfile(profile, valueType),
    transforms: null,
    facts: {
      name: metadata.fileName ?? 'capture',
      host: metadata.hostName,
      kernel: metadata.kernel,
      cpuCount: metadata.cpuCount,
      durationSeconds: metadata.durationNs === null ? null : metadata.durationNs / 1e9,
      rateHz: metadata.rateHz,
      cpuSeconds: null,
      requests: null,
      ...facts,
    },
  };
}

export const compareRaw = (
  before: readonly ComparedCapture[],
  after: readonly ComparedCapture[],
  normalisation: Normalisation | null = 'raw',
  rules: MatchRules = DEFAULT_MATCH_RULES,
): Promise<Comparison> => compareFunctions(before, after, { normalisation, rules, patterns: patternsHere });
