import type { Profile } from '../../model/profile.ts';

/**
 * Returns what a runtime reported beside the samples, one line each: the event loop of a Node process, and what grew in
 * it without bound. Empty for other profiles.
 */
export const runtimeLines = ({
  metadata: { tool, comments },
  diagnostics,
}: Pick<Profile, 'metadata' | 'diagnostics'>): readonly string[] =>
  tool === 'Node'
    ? [...comments, ...diagnostics.filter(({ code }) => code.startsWith('growing-')).map(({ message }) => message)]
    : [];
