import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The checkout that a script is started in, which it works on. */
const root = process.cwd();

/** The forms of a new thing's name: `my-format`, `myFormat`, `MyFormat`. */
interface Names {
  readonly id: string;
  readonly name: string;
  readonly Name: string;
}

/** Reads the name from the command line of `npm run new:KIND`, and ends the process if its folder exists in `parent`. */
export function readNames(kind: string, parent: string): Names {
  const [id = ''] = process.argv.slice(2);
  const name = id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
    fail(`usage: npm run new:${kind} NAME, in lower case, such as my-${kind}`);
  if (existsSync(path.join(root, parent, id))) fail(`${parent}/${id} exists; choose another name`);
  return { id, name, Name: name.charAt(0).toUpperCase() + name.slice(1) };
}

/** Writes a new file. */
export function write(file: string, text: string): void {
  const full = path.join(root, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text, { flag: 'wx' });
  process.stdout.write(`${file}\n`);
}

/** Adds rows to a file, each before the first place of a text. */
export function addRows(file: string, rows: readonly { readonly before: string; readonly row: string }[]): void {
  const full = path.join(root, file);
  let text = readFileSync(full, 'utf8');
  for (const { before, row } of rows) {
    if (!text.includes(before)) fail(`${file} has no ${before.trim()}: add there by hand: ${row.trim()}`);
    text = text.replace(before, () => row + before);
  }
  writeFileSync(full, text);
  process.stdout.write(`${file}\n`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
