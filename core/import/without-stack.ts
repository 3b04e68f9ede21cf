import type { Diagnostic } from '../model/diagnostics.ts';
import type { Profile } from '../model/profile.ts';

const CODE = 'samples-without-stack';

/**
 * Returns the profile with a warning where more than half of its samples have no stack, whatever its format: graphs and tables of it show
 * the smaller part. The profile itself where fewer have none, or where it says so already (a native file does).
 */
export function diagnoseWithoutStack(profile: Profile): Profile {
  const { samples, diagnostics } = profile;
  let count = 0;
  for (const stack of samples.stack) if (stack < 0) count += 1;
  if (count * 2 <= samples.length || diagnostics.some(({ code }) => code === CODE)) return profile;
  const percent = ((count / samples.length) * 100).toFixed(1);
  const diagnostic: Diagnostic = {
    code: CODE,
    severity: 'warning',
    message: `${percent} % of the samples have no stack: they count in the total, but in no function.`,
    count,
    first: null,
    remedy: 'Record again with call stacks enabled, or check that the file is complete.',
  };
  return { ...profile, diagnostics: [...diagnostics, diagnostic] };
}
