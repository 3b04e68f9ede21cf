import { code } from '#core/export/markdown-text.ts';
import type { ChangedLines } from './repository.ts';

/**
 * Returns the address below which the code host shows the files of a commit, from the variables of its runner (GitHub and
 * compatible ones, GitLab); null elsewhere.
 */
export function filesOfCommit(env: Readonly<Record<string, string | undefined>>, hash: string): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env;
  const base =
    server !== undefined && repository !== undefined ? `${server}/${repository}/blob` : project && `${project}/-/blob`;
  return base !== undefined && /^https?:\/\/[\w./:~-]{1,300}$/.test(base) ? `${base}/${hash}` : null;
}

/** Returns a place as a link to its line; as code without an address. The file's name comes from the change. */
export function placeLink({ file, line }: Pick<ChangedLines, 'file' | 'line'>, files: string | null): string {
  const text = code(`${file}:${line}`);
  if (files === null) return text;
  const path = file.split('/').map((part) => encodeURIComponent(part).replace(/[!'()*]/g, escaped));
  return `[${text}](${files}/${path.join('/')}#L${line})`;
}

/** What encodeURIComponent leaves, and parentheses end an address in Markdown. */
const escaped = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
