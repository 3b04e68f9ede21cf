import type { FrameIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { JsonSession } from '../text/json-session.ts';
import {
  arrayAt,
  arrayOrNone,
  isObject,
  numberAt,
  numberOr,
  objectAt,
  textOr,
  type JsonObject,
} from '../text/json-value.ts';
import { v8LogFunction } from './log-function.ts';
import { V8LogProfile } from './log-profile.ts';

export const v8JsonSession = (): JsonSession => new JsonSession('a log of V8', buildV8Json);

/** By V8's word for a kind of script code. */
const TIERS: ReadonlyMap<string, string> = new Map([
  ['Unopt', 'Ignition'],
  ['Baseline', 'Sparkplug'],
  ['Sparkplug', 'Sparkplug'],
  ['Maglev', 'Maglev'],
  ['Opt', 'TurboFan'],
]);

type Place = (offset: number) => { readonly frame: FrameIndex; readonly tier: string | null };

function buildV8Json(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const log = new V8LogProfile();
  const places: (Place | undefined)[] = [];
  const code = arrayAt(file['code'], 'code');
  const ticks = arrayAt(file['ticks'], 'ticks');
  if (ticks.length === 0) throw malformed('a log of V8 without a tick; record it with `node --prof`');
  ticks.forEach((value, row) => {
    const tick = objectAt(value, `ticks[${row}]`);
    const stack = arrayOrNone(tick['s'], `ticks[${row}].s`);
    if (stack.length % 2 === 1) throw malformed(`ticks[${row}].s has a position without an offset`);
    const frames: FrameIndex[] = [];
    let tier: string | null = null;
    for (let at = 0; at < stack.length; at += 2) {
      const id = numberAt(stack[at], `ticks[${row}].s[${at}]`);
      const offset = numberAt(stack[at + 1], `ticks[${row}].s[${at + 1}]`);
      const place = (places[Math.max(0, id + 1)] ??= placeOf(log, code, id, `ticks[${row}].s[${at}]`))(offset);
      frames.push(place.frame);
      tier ??= place.tier;
    }
    const time = numberOr(tick['tm'], Number.NaN);
    log.sample(frames, { time, vmState: numberOr(tick['vm'], Number.NaN), tier }, false);
  });
  return log.finish({ format: 'v8-prof-json' });
}

/** Code is a row of `code`; −1 is code unknown to V8, whose offset is its address. */
function placeOf(log: V8LogProfile, code: readonly unknown[], id: number, where: string): Place {
  if (id === -1) return (offset) => ({ frame: log.unresolved('', exact(offset)), tier: null });
  const entry = code[id];
  if (!isObject(entry)) throw malformed(`${where} names code ${id}, which does not exist`);
  const name = textOr(entry['name'], '');
  const type = textOr(entry['type'], '');
  if (type === 'SHARED_LIB') return (offset) => ({ frame: log.unresolved(name, exact(offset)), tier: null });
  const frame = log.frame(functionOf(name, type, entry));
  const tier = type === 'JS' ? (TIERS.get(textOr(entry['kind'], '')) ?? null) : null;
  return () => ({ frame, tier });
}

function functionOf(name: string, type: string, entry: JsonObject): ReturnType<typeof v8LogFunction> {
  // `nm` of some systems prints names with the letter of their section before them.
  if (type === 'CPP') return { name: name.replace(/^[tT] /, ''), kind: FunctionKind.user };
  return v8LogFunction(type === 'CODE' ? textOr(entry['kind'], type) : type, name);
}

const exact = (offset: number): number | null => (Number.isSafeInteger(offset) && offset >= 0 ? offset : null);
