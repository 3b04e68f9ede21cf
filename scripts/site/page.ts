import { existsSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeText } from '#core/export/markup.ts';
import { anchorsOf, headingAnchors } from '../check-links.ts';
import { linkedPage, type Subject } from './subjects.ts';

export interface PageSource {
  /** Path in the repository. */
  readonly file: string;
  readonly title: string;
  readonly markdown: string;
  /** Path in the site. */
  readonly address: string;
}

/** A part of a page that the search finds. */
export interface Section {
  /** Null: the start of the page. */
  readonly anchor: string | null;
  readonly title: string;
  readonly text: string;
}

interface SiteContext {
  readonly root: string;
  readonly pages: ReadonlyMap<string, PageSource>;
  readonly subjects: readonly Subject[];
  /** Receives a line for each link that leads nowhere. */
  readonly problems: string[];
}

/** The site's own files alone; a browser sends nothing anywhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** Returns the page as HTML, and its sections for the search. HTML in Markdown is shown, not used. */
export function renderPage(page: PageSource, context: SiteContext): { html: string; sections: Section[] } {
  const { pages, problems } = context;
  const anchorOf = headingAnchors();
  const headings: { depth: number; title: string; anchor: string }[] = [];
  const sections: { anchor: string | null; title: string; text: string }[] = [
    { anchor: null, title: page.title, text: '' },
  ];
  const address = (to: string): string => path.posix.relative(path.posix.dirname(page.address), to);
  const hrefOf = (href: string): string | null => {
    if (/^(?:https?|mailto):/i.test(href)) return href;
    const [place = '', anchor = ''] = decodeURIComponent(href).split('#');
    const file = place === '' ? page.file : linkedPage(page.file, place, pages);
    if (file === null) {
      const outside = path.posix.join(path.posix.dirname(page.file), place);
      if (outside.startsWith('..') || /^[a-z]+:/i.test(place) || !existsSync(path.join(context.root, outside)))
        problems.push(`${page.file}: '${href}' leads nowhere`);
      return null;
    }
    const to = pages.get(file)!;
    if (anchor !== '' && !anchorsOf(to.markdown).has(anchor)) problems.push(`${page.file}: '${href}' has no heading`);
    return `${place === '' ? '' : address(to.address)}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`;
  };
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeText(text),
      heading({ tokens, text, depth }: Tokens.Heading) {
        const anchor = anchorOf(text);
        const title = text.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1');
        headings.push({ depth, title, anchor });
        if (depth > 1) sections.push({ anchor, title, text: '' });
        return `<h${depth} id="${escapeText(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const to = hrefOf(href);
        const text = this.parser.parseInline(tokens);
        // Of the repository, which the site does not have.
        if (to === null) return `<span class="source" title="${escapeText(href)}">${text}</span>`;
        return `<a href="${escapeText(to)}"${/^https?:/i.test(to) ? ' rel="noreferrer"' : ''}>${text}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const file = path.posix.join(path.posix.dirname(page.file), href);
        if (!file.startsWith('docs/images/') || !existsSync(path.join(context.root, file)))
          problems.push(`${page.file}: '${href}' is not a picture in docs/images`);
        return `<img src="${escapeText(address(file.slice('docs/'.length)))}" alt="${escapeText(text)}">`;
      },
    },
  });
  const tokens = marked.lexer(page.markdown);
  // In the order of the page, so that text belongs to the heading before it.
  const body = tokens.map((token) => {
    const html = marked.parser([token]);
    if (token.type !== 'heading') sections.at(-1)!.text += `${token.raw.replaceAll(/\]\([^)]*\)/g, ']')}\n`;
    return html;
  });
  const parts = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const contents = parts.map(
    ({ depth, title, anchor }) =>
      `<li class="depth-${depth}"><a href="#${encodeURIComponent(anchor)}">${escapeText(title)}</a></li>`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(page.title)}${page.address === 'index.html' ? '' : ' · Flamebench'}</title>
<link rel="stylesheet" href="${address('site.css')}">
<script defer src="${address('search.js')}" data-top="${address('index.html').slice(0, -'index.html'.length)}"></script>
</head>
<body>
<header>
<a class="home" href="${address('index.html')}">Flamebench</a>
<div class="search"><input type="search" placeholder="Search" aria-label="Search the docs"><ol hidden></ol></div>
</header>
<nav class="subjects" aria-label="Pages">
${context.subjects.map((subject) => subjectHtml(subject, page, pages, address)).join('\n')}
</nav>
<main>
${body.join('')}</main>
${contents.length < 2 ? '' : `<nav class="contents" aria-label="On this page"><ul>\n${contents.join('\n')}\n</ul></nav>\n`}</body>
</html>
`;
  return { html, sections };
}

function subjectHtml(
  { title, links }: Subject,
  page: PageSource,
  pages: ReadonlyMap<string, PageSource>,
  address: (to: string) => string,
): string {
  const row = (label: string, to: PageSource, below = ''): string =>
    `<li><a href="${address(to.address)}"${to === page ? ' aria-current="page"' : ''}>${escapeText(label)}</a>${below}</li>`;
  const rows = links.map(({ label, file }) => {
    const folder = path.posix.dirname(file);
    const isOpen = folder !== 'docs' && folder !== '.' && path.posix.dirname(page.file) === folder;
    const below = isOpen ? [...pages.values()].filter((one) => path.posix.dirname(one.file) === folder) : [];
    const others = below.filter((one) => one.file !== file).map((one) => row(one.title, one));
    return row(label, pages.get(file)!, others.length === 0 ? '' : `<ul>${others.join('')}</ul>`);
  });
  return `<h2>${escapeText(title)}</h2><ul>${rows.join('')}</ul>`;
}
