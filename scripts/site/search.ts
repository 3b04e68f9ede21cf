// The script of the site's pages, bundled by scripts/site.ts.
import MiniSearch, { type Options, type SearchResult } from 'minisearch';

declare global {
  /** What search-index.js leaves. */
  var flamebenchSearchIndex: string;
  /** Inserted by the build. */
  const SEARCHED: Options;
}

const top = document.currentScript?.dataset['top'] ?? '';
const field = document.querySelector<HTMLInputElement>('.search input')!;
const list = document.querySelector<HTMLOListElement>('.search ol')!;
const MOST = 12;

/** The index is large, so it loads when the field is first used. */
let loading: Promise<MiniSearch> | null = null;
function load(): Promise<MiniSearch> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${top}search-index.js`;
    script.addEventListener('load', () => {
      resolve(MiniSearch.loadJSON(globalThis.flamebenchSearchIndex, SEARCHED));
    });
    script.addEventListener('error', () => {
      reject(new Error(`${script.src} can't be loaded`));
    });
    document.head.append(script);
  });
  return loading;
}

async function show(): Promise<void> {
  const words = field.value.trim();
  const index = words === '' ? null : await load();
  if (field.value.trim() !== words) return;
  const found = index?.search(words, { prefix: true, fuzzy: 0.2, boost: { title: 3 }, combineWith: 'AND' }) ?? [];
  const rows = found.length === 0 ? [rowOf('Nothing found')] : found.slice(0, MOST).map(rowOfResult);
  list.replaceChildren(...rows);
  list.hidden = words === '';
}

function rowOf(content: string | Node): HTMLLIElement {
  const row = document.createElement('li');
  row.append(content);
  return row;
}

function rowOfResult(result: SearchResult): HTMLLIElement {
  const [title, page, address] = [String(result['title']), String(result['page']), String(result['address'])];
  const link = document.createElement('a');
  link.href = `${top}${address}`;
  link.textContent = title === page ? title : `${page}: ${title}`;
  return rowOf(link);
}

field.addEventListener('focus', () => void load());
field.addEventListener('input', () => void show());
field.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') list.querySelector('a')?.click();
  if (event.key === 'Escape') list.hidden = true;
});
