import { threadsCalled } from '#core/analyze/view/called-threads.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { usageError } from '../errors.ts';

/** Number of threads listed if the requested one does not exist. */
const LISTED = 10;

/** Returns the threads given by ID, by name, or by both (`worker #102`); null (all) if none is given. */
export function chooseThreads(profile: Profile, wanted: readonly string[]): ThreadIndex[] | null {
  if (wanted.length === 0) return null;
  const { threads } = profile;
  const chosen: ThreadIndex[] = [];
  for (const word of wanted) {
    const byId = [...threads.tid.keys()].filter((row) => String(threads.tid[row]) === word);
    const found = new Set([...byId, ...threadsCalled(profile, [word])]);
    if (found.size === 0) throw noSuchThread(profile, word);
    for (const row of found) chosen.push(row as ThreadIndex);
  }
  return chosen;
}

function noSuchThread({ threads, strings }: Profile, word: string) {
  const listed = Array.from({ length: Math.min(LISTED, threads.length) }, (_, row) => {
    const name = strings[threads.name[row]!]!;
    return threads.tid[row]! < 0 ? `'${name}'` : `${threads.tid[row]} '${name}'`;
  });
  const more = threads.length > LISTED ? ` and ${threads.length - LISTED} more` : '';
  const isUnnamed = threads.tid.every((tid, row) => tid < 0 && strings[threads.name[row]!] === '');
  return usageError(
    `no thread '${word}' in this profile`,
    isUnnamed
      ? 'it names no threads; leave --thread out'
      : `--thread takes an id or a name: ${listed.join(', ')}${more}`,
  );
}
