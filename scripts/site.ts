import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import MiniSearch from 'minisearch';
import { root } from './run-command.ts';
import { renderPage, type PageSource } from './site/page.ts';
import { readSubjects } from './site/subjects.ts';
import { licencesOf } from './supply-chain.ts';

/** Fields of the index, which the page's script names too. */
const SEARCHED = { fields: ['title', 'text'], storeFields: ['title', 'page', 'address'] };

/** Where a Markdown file is in the site. */
function addressOf(file: string): string {
  const inDocs = file.startsWith('docs/') ? file.slice('docs/'.length) : file.toLowerCase();
  return inDocs.replace(/(?:^|(?<=\/))README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

/** Lists the pages of a folder that has no page of its own. */
function listFolders(pages: Map<string, PageSource>): void {
  const folders = new Set([...pages.keys()].map((file) => path.dirname(file)));
  for (const folder of folders) {
    if (folder === '.' || folder === 'docs' || pages.has(`${folder}/README.md`)) continue;
    const below = [...pages].filter(([file]) => path.dirname(file) === folder);
    const rows = below.map(([file, { title }]) => `- [${title}](${path.basename(file)})`);
    const title = path.basename(folder) === 'adr' ? 'Decisions' : 'Recipes';
    const file = `${folder}/README.md`;
    pages.set(file, { file, title, markdown: `# ${title}\n\n${rows.join('\n')}\n`, address: addressOf(file) });
  }
}

/** Writes the docs as static HTML that works from any folder. Throws one line for each link that leads nowhere. */
export async function buildSite(output: string): Promise<string[]> {
  const files = [...globSync('docs/**/*.md', { cwd: root }), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].toSorted(
    (a, b) => (a < b ? -1 : 1),
  );
  const pages = new Map<string, PageSource>();
  for (const file of files) {
    const markdown = readFileSync(path.join(root, file), 'utf8');
    const title = (/^# (.+)$/m.exec(markdown)?.[1] ?? file).replaceAll('`', '');
    pages.set(file, { file, title, markdown, address: addressOf(file) });
  }
  listFolders(pages);
  const subjects = readSubjects(pages);
  const search = new MiniSearch(SEARCHED);
  const problems: string[] = [];
  rmSync(output, { recursive: true, force: true });
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(output, name)), { recursive: true });
    writeFileSync(path.join(output, name), text);
  };
  for (const page of pages.values()) {
    const { html, sections } = renderPage(page, { root, pages, subjects, problems });
    write(page.address, html);
    for (const { anchor, title, text } of sections) {
      const address = anchor === null ? page.address : `${page.address}#${anchor}`;
      search.add({ id: address, address, page: page.title, title, text });
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  cpSync(path.join(root, 'docs/images'), path.join(output, 'images'), { recursive: true });
  cpSync(path.join(root, 'scripts/site/site.css'), path.join(output, 'site.css'));
  const script = await esbuild.build({
    entryPoints: [path.join(root, 'scripts/site/search.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    define: { SEARCHED: JSON.stringify(SEARCHED) },
  });
  write('search.js', script.outputFiles[0]!.text);
  // A script, because a page that is opened from a file may not fetch.
  write('search-index.js', `globalThis.flamebenchSearchIndex = ${JSON.stringify(JSON.stringify(search))};\n`);
  write('licences.txt', licencesOf(['minisearch']));
  return [...pages.values()].map(({ address }) => address);
}

if (import.meta.main) {
  try {
    const output = path.join(root, 'dist/site');
    const pages = await buildSite(output);
    process.stdout.write(`${pages.length} pages: ${path.join(output, 'index.html')}\n`);
  } catch (error) {
    process.stderr.write(`npm run site: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
