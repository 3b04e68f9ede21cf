import { namesProfile } from '#core/contract/pprof.ts';
import { pprofCollector } from '#collectors/pprof/collector.ts';
import { describePlan } from '#collectors/describe-plan.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { startRecording } from '#app/engine/recording/recording.ts';
import { rethrow } from '../engine-errors.ts';
import { captureError, usageError } from '../errors.ts';
import { say, showProgress } from '../output/terminal.ts';
import { readUrl } from '../record/pprof/options.ts';
import { describeProgress } from '../record/report.ts';

const isUrl = (word: string): boolean => /^https?:\/\//i.test(word);

/** Returns the words with each URL replaced by the ID of a capture fetched from it. */
export async function fetchUrls(words: readonly string[], libraryPath: string): Promise<string[]> {
  if (!words.some(isUrl)) return [...words];
  const library = await openLibrary(libraryPath).catch(rethrow);
  const target = createLocalTarget();
  try {
    const ids: string[] = [];
    for (const word of words) ids.push(isUrl(word) ? await fetchUrl(word) : word);
    return ids;
  } finally {
    await target.dispose();
    library.close();
  }

  async function fetchUrl(word: string): Promise<string> {
    const { url, credentials } = readUrl(word);
    if (!namesProfile(url)) {
      throw usageError(`${url} is a service, not a profile`, 'add /debug/pprof/heap, or use flamebench record pprof');
    }
    const { plan, checks } = await pprofCollector.preflight(target, {
      collector: 'pprof',
      scope: { kind: 'url', url, exact: true },
      kinds: ['cpu'],
      seconds: 30,
      ...(credentials.length === 0 ? {} : { headers: credentials }),
    });
    if (plan === null)
      throw captureError(checks[0]?.found ?? 'nothing to fetch', checks[0]?.remedy ?? null, checks[0]?.id);
    for (const line of describePlan(plan)) say(line);
    const hosts = [{ targetId: 'local', target, plan }];
    const session = await startRecording({ library }, { hosts, repeat: 1, pauseSeconds: 0, name: null });
    session.onStatus((status) => showProgress(describeProgress(status)));
    const { captures, error } = await session.ended;
    showProgress('');
    if (error !== null) throw captureError(error.message, error.remedy, error.code);
    return captures[0]!.id;
  }
}
