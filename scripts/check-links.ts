import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Link {
  readonly target: string;
  readonly line: number;
}

/**
 * Blanks code (fenced and inline), so that its content is not taken for links or headings; line numbers are unchanged.
 */
function withoutCode(markdown: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  return markdown
    .replace(/^([ \t]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\2[ \t]*$/gm, blank)
    .replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, blank);
}

/**
 * Returns the links in a Markdown text: inline links, images and reference definitions, and `src` and `href` in HTML.
 */
export function linksOf(markdown: string): Link[] {
  const links: Link[] = [];
  const patterns = [
    /\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^\n]*?)?\)/g,
    /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)/gm,
    /\b(?:src|href)="([^"\n]+)"/g,
  ];
  const text = withoutCode(markdown);
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      links.push({ target: match[1] ?? '', line: text.slice(0, match.index).split('\n').length });
    }
  }
  return links.toSorted((a, b) => a.line - b.line);
}

/** Returns a function that gives each heading of a page its anchor by GitHub's rule: lower case, no punctuation, `-1` for repeats. */
export function headingAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replace(/ /g, '-');
    const repeats = seen.get(slug) ?? 0;
    seen.set(slug, repeats + 1);
    return repeats === 0 ? slug : `${slug}-${repeats}`;
  };
}

/** Returns the anchors of a Markdown text: headings, and `id` attributes. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  const anchorOf = headingAnchors();
  const fenceless = markdown.replace(/^([ \t]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\2[ \t]*$/gm, '');
  for (const [, heading = ''] of fenceless.matchAll(/^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/gm)) {
    anchors.add(anchorOf(heading));
  }
  for (const [, id = ''] of fenceless.matchAll(/\b(?:id|name)="([^"\n]+)"/g)) anchors.add(id);
  return anchors;
}

/**
 * Returns the problem with a link in `file`; null if its target exists or is outside the repository (`https:`,
 * `mailto:`).
 */
function problemOf(root: string, file: string, target: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    return 'is not a valid URL';
  }
  const hash = decoded.indexOf('#');
  const place = hash < 0 ? decoded : decoded.slice(0, hash);
  const anchor = hash < 0 ? '' : decoded.slice(hash + 1);
  if (place.startsWith('/')) return 'is absolute: write it relative to the file';
  const linked = place === '' ? file : path.join(path.dirname(file), place);
  if (linked.startsWith('..')) return 'leaves the repository';
  if (!existsSync(path.join(root, linked))) return 'does not exist';
  if (anchor === '' || !linked.endsWith('.md')) return null;
  return anchorsOf(readFileSync(path.join(root, linked), 'utf8')).has(anchor) ? null : 'has no such heading';
}

/**
 * Checks every Markdown file under `root` except dependencies and build output. Returns their number, and one line for
 * each broken link.
 */
export function checkLinks(root: string): { files: number; broken: string[] } {
  const files = globSync('**/*.md', {
    cwd: root,
    exclude: ['**/node_modules/**', 'dist/**', 'artefacts/**'],
  });
  const broken: string[] = [];
  for (const file of files) {
    for (const { target, line } of linksOf(readFileSync(path.join(root, file), 'utf8'))) {
      const problem = problemOf(root, file, target);
      if (problem !== null) broken.push(`${file}:${line}: '${target}' ${problem}`);
    }
  }
  return { files: files.length, broken };
}
