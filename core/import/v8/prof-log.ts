import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';
import { headLines } from '../text/text-lines.ts';

/** The log that V8 writes with `--prof` (`node --prof`). */
export const v8ProfLogImporter: Importer = {
  id: 'v8-prof-log',
  label: 'V8 --prof log',
  extensions: ['v8.log', 'log'],
  keeps:
    'every tick with its stack and time; functions with files and lines, builtins, regular expressions; what V8 did and which tier ran, as labels',
  loses: 'lines within functions, inlining, memory and other events (which are counted), names of code in binaries',
  recognizedBy: 'lines such as `v8-version,…`, `shared-library,…`, `code-creation,…` and `tick,0x…`',
  specification: 'https://v8.dev/docs/profile',
  sniff: sniffV8Log,
  start: async () => byLine(new (await import('./log-session.ts')).V8LogSession()),
};

/** The output of `node --prof-process --preprocess` for a `--prof` log. */
export const v8ProfJsonImporter: Importer = {
  id: 'v8-prof-json',
  label: 'V8 --prof log, preprocessed',
  extensions: ['v8log.json', 'json'],
  keeps:
    'every tick with its stack and time; functions with files and lines, of binaries too; what V8 did and which tier ran, as labels',
  loses: 'lines within functions, inlining, the source text of scripts',
  recognizedBy: 'JSON with a `code` of names and types, and `ticks`',
  specification: 'https://v8.dev/docs/profile',
  sniff: ({ text }: Head): SniffResult =>
    /^\s*\{\s*"code"\s*:\s*\[\s*(?:\]|null\b|\{\s*"name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"(?:type|timestamp)"\s*:)/.test(
      text,
    )
      ? 'yes'
      : 'no',
  start: async () => (await import('./log-json.ts')).v8JsonSession(),
};

const RECORD =
  /^(?:v8-version,\d|v8-platform,|shared-library,.*,0x|shared-library-end$|code-creation,\w+,|profiler,"?\w|tick,0x[0-9a-f]+,|(?:new|delete),\w+,0x|heap-(?:capacity|available),\d)/;

const MIN_RECORDS = 3;

/** Yes if the first lines are V8's. */
function sniffV8Log({ text, complete }: Head): SniffResult {
  const lines = headLines(text, complete).slice(0, MIN_RECORDS);
  return lines.length === MIN_RECORDS && lines.every((line) => RECORD.test(line)) ? 'yes' : 'no';
}
