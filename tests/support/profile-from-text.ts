import { foldedImporter } from '#core/import/folded/folded.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Profile } from '#core/model/profile.ts';

/** A profile as readable text, one folded stack a line: `profileFromText('a;b;c 3\na;b 2')`. Indentation is ignored. */
export function profileFromText(text: string): Profile {
  const session = foldedImporter.start();
  session.push(new TextEncoder().encode(text.replace(/^[ \t]+/gm, '')));
  const profile = session.finish();
  checkProfile(profile);
  return profile;
}
