import type { FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';

/** V8's tags for functions of scripts. All other code is named `Tag: name`, as in V8's own tools. */
const SCRIPT_TAGS: ReadonlySet<string> = new Set(['JS', 'LazyCompile', 'Function', 'Script', 'Eval']);

/** `name file:line:column`; before V8 4 without a column. */
const PLACE = /^(.*?):(\d+)(?::(\d+))?$/s;
/** Start of a file's name; names of functions and of files may contain spaces. */
const FILE_START = / (?=\/|[A-Za-z][\w+.-]*:|native |\[eval)/;

export const isScriptTag = (tag: string): boolean => SCRIPT_TAGS.has(tag);

/** Returns the function of a piece of code with this tag and name. */
export function v8LogFunction(tag: string, name: string): FunctionKey {
  if (isScriptTag(tag)) return scriptFunction(name, tag === 'Script' || tag === 'Eval');
  const kind = tag === 'Callback' ? FunctionKind.user : FunctionKind.jit;
  return { name: name === '' ? tag : `${tag}: ${name}`, kind };
}

function scriptFunction(text: string, isScript: boolean): FunctionKey {
  const placed = PLACE.exec(text);
  const [, before = text, line = '0', column] = placed ?? [];
  const start = before.search(FILE_START);
  const blank = start >= 0 ? start : before.lastIndexOf(' ');
  // A script without a place is named by its file; a function without one has no file.
  const name = blank >= 0 ? before.slice(0, blank) : isScript || placed !== null ? '' : before;
  const file = blank >= 0 ? before.slice(blank + 1) : isScript || placed !== null ? before : '';
  return {
    name: name === '' ? '(anonymous)' : name,
    file,
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    kind: FunctionKind.jit,
  };
}
