import { readScript } from '../read-script.ts';
import { runToEnd } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';

/**
 * The facts that a single command found on a target: text by key; a key may have several values. Absent: not
 * determined.
 */
export interface Survey {
  one(key: string): string | null;
  all(key: string): readonly string[];
  /** Returns the path of a program; null if the target does not have it. */
  tool(name: string): string | null;
  /** Unix epoch milliseconds of this machine before and after the command. */
  readonly asked: { readonly before: number; readonly after: number };
}

const SCRIPT = readScript(new URL('./survey.sh', import.meta.url));

/** Returns null if no command can be run there. */
export async function surveyTarget(target: Target, pid: number | null): Promise<Survey | null> {
  const before = Date.now();
  const argv = ['sh', '-c', SCRIPT, 'sh', pid === null ? '' : String(pid)];
  const done = await runToEnd(target, argv, { timeoutMs: 15_000 }).catch(() => null);
  return done && parseSurvey(new TextDecoder().decode(done.stdout), { before, after: Date.now() });
}

export function parseSurvey(text: string, asked: Survey['asked']): Survey {
  const values = Map.groupBy(readLines(text), ({ key }) => key);
  const all = (key: string): string[] => (values.get(key) ?? []).map(({ value }) => value);
  const one = (key: string): string | null => all(key)[0] ?? null;
  return { one, all, tool: (name) => one(`tool-${name}`), asked };
}

/** Skips empty values, which come from commands that failed. */
function readLines(text: string): { key: string; value: string }[] {
  return text.split('\n').flatMap((line) => {
    const equals = line.indexOf('=');
    const value = line.slice(equals + 1).trim();
    return equals < 0 || value === '' ? [] : [{ key: line.slice(0, equals), value }];
  });
}
