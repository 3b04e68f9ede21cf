import { decodedMappings, FlattenMap, traceSegment, type TraceMap } from '@jridgewell/trace-mapping';
import * as z from 'zod';
import { isObject, type JsonObject } from '#core/import/text/json-value.ts';

/** Lines of a script; a map may state any number, of which each takes memory. */
const MAX_LINES = 5_000_000;

const plainSchema = z.object({
  version: z.literal(3),
  mappings: z.string().refine((text) => text.split(';', MAX_LINES + 1).length <= MAX_LINES),
  names: z.array(z.string()).default([]),
  sources: z.array(z.string().nullable()),
  sourceRoot: z
    .string()
    .nullish()
    .transform((root) => root ?? undefined),
});
const offset = z.number().int().min(0).max(MAX_LINES);
const sectionedSchema = z.object({
  version: z.literal(3),
  sections: z.array(z.object({ offset: z.object({ line: offset, column: offset }), map: plainSchema })).max(1000),
});

/** What the process says of a script's map: its text, or a `data:` URL. Null: there is none that can be read. */
interface ScriptMap {
  readonly url: string;
  readonly map: string | null;
  /** A script that names no map, which is not one that is missing. */
  readonly isNamed: boolean;
}

const scriptSchema = z.object({ url: z.string(), map: z.string().nullable(), isNamed: z.boolean() });

/**
 * Replaces the maps that a profile brings, under `flamebench.maps`, by what they say of its functions:
 * `flamebench.mapped`, rows of a script's URL, line and column and of the source's name, line and function (null: none
 * better), and the numbers of maps. Lines and columns count from 0. Maps are untrusted: what they name is text.
 */
export function withSources(text: string): string {
  const profile: unknown = JSON.parse(text);
  const about = isObject(profile) ? profile['flamebench'] : null;
  if (!isObject(profile) || !isObject(about)) return text;
  const { maps: found, ...rest } = about;
  const scripts = new Map<string, TraceMap>();
  const counts = { maps: 0, missing: 0, bad: 0 };
  for (const script of z.array(scriptSchema).catch([]).parse(found)) {
    if (script.map === null) {
      if (script.isNamed) counts.missing += 1;
      continue;
    }
    const map = readMap(script, script.map);
    if (map === null) counts.bad += 1;
    else {
      counts.maps += 1;
      scripts.set(script.url, map);
    }
  }
  const threads = Array.isArray(about['threads']) ? about['threads'] : [];
  const profiles = threads.flatMap((one: unknown) => (isObject(one) ? [one['profile'], one['heap']] : []));
  const frames = [profile, about['heap'], ...profiles].flatMap(framesOf);
  return JSON.stringify({
    ...profile,
    flamebench: { ...rest, sourceMaps: counts, mapped: mapFrames(frames, scripts) },
  });
}

function readMap({ url }: ScriptMap, text: string): TraceMap | null {
  try {
    const json: unknown = JSON.parse(text.startsWith('data:') ? decodeUrl(text) : text.replace(/^\)\]\}'?[^\n]*/, ''));
    const isSectioned = isObject(json) && 'sections' in json;
    const map = FlattenMap((isSectioned ? sectionedSchema : plainSchema).parse(json) as never, url);
    // Decoded here, where it may fail.
    decodedMappings(map);
    return map;
  } catch {
    return null;
  }
}

function decodeUrl(url: string): string {
  const [, head = '', data = ''] = /^data:([^,]*),([^]*)$/.exec(url) ?? [];
  return head.endsWith(';base64') ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data);
}

/** Returns the call frames of a CPU or heap profile. */
function framesOf(profile: unknown): JsonObject[] {
  if (!isObject(profile)) return [];
  const nodes: unknown[] = Array.isArray(profile['nodes']) ? [...(profile['nodes'] as unknown[])] : [profile['head']];
  const frames: JsonObject[] = [];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!isObject(node)) continue;
    if (isObject(node['callFrame'])) frames.push(node['callFrame']);
    if (profile['nodes'] === undefined && Array.isArray(node['children']))
      nodes.push(...(node['children'] as unknown[]));
  }
  return frames;
}

/**
 * Returns the source's name of a function that V8 puts at the parenthesis after its name, or, `name=x=>…`, at the first
 * parameter. Null if the map has no name there.
 */
function nameBefore(map: TraceMap, line: number, column: number, functionName: string): string | null {
  const { length } = /[^. ]*$/.exec(functionName)![0];
  for (const at of length === 0 ? [] : [column - length, column - length - 1]) {
    const segment = at < 0 ? null : traceSegment(map, line, at);
    if (segment?.length === 5 && segment[0] === at) return map.names[segment[4]] ?? null;
  }
  return null;
}

type MappedRow = [url: string, line: number, column: number, file: string, fileLine: number, name: string | null];

function mapFrames(frames: readonly JsonObject[], scripts: ReadonlyMap<string, TraceMap>): MappedRow[] {
  const rows = new Map<string, MappedRow>();
  for (const { url, lineNumber: line, columnNumber: column, functionName } of frames) {
    const map = typeof url === 'string' ? scripts.get(url) : undefined;
    if (map === undefined || typeof line !== 'number' || typeof column !== 'number' || line < 0 || column < 0) continue;
    const key = `${line}:${column} ${String(url)}`;
    const segment = rows.has(key) ? null : traceSegment(map, line, column);
    if (segment === null || segment.length === 1) continue;
    const file = map.resolvedSources[segment[1]];
    if (typeof file !== 'string' || file === '') continue;
    const own = typeof functionName === 'string' ? nameBefore(map, line, column, functionName) : null;
    rows.set(key, [String(url), line, column, file, segment[2], own]);
  }
  return [...rows.values()];
}
