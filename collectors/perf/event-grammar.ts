/**
 * The subset of `perf record -e` that Flamebench passes on (perf-list(1), tools/perf/util/parse-events.l). perf accepts
 * more: given a path to a `.c`, `.o` or `.bpf` file, it compiles and loads that file. Nothing in this grammar can be a
 * path.
 */

/** One event of a list or a group, without its modifiers. */
export type EventTerm =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'memory'; readonly text: string }
  | { readonly kind: 'tracepoint'; readonly system: string; readonly name: string }
  | { readonly kind: 'pmu'; readonly pmu: string; readonly terms: readonly PmuTerm[] };

export interface PmuTerm {
  readonly name: string;
  /** Null for a flag, or for an event named by the PMU. */
  readonly value: string | null;
}

type ParsedEvents =
  | { readonly events: readonly EventTerm[]; readonly refusal: null }
  /** `refusal` is one clause for the user. */
  | { readonly events: null; readonly refusal: string };

/** More events than any sampling needs. */
const MAX_EVENTS = 32;

/** User, kernel, hypervisor, host, guest, precise, maximum precision, pinned, exclusive, weak group, sampled group. */
const MODIFIERS = /^[ukhHGpPIDeSWb]{1,12}$/;
const RAW = /^r[0-9a-f]{1,16}$/i;
const MEMORY = /^mem:(?:0x[0-9a-f]{1,16}|\d{1,20})(?:\/\d{1,2})?(?::[rwx]{1,3})?(?::([a-zA-Z]+))?$/;
const NAME = /^[A-Za-z][\w.-]*$/;
/** `mem:` starts a breakpoint. */
const TRACEPOINT_PART = /^(?!mem$)\w[\w-]*$/;
const PMU = /^[A-Za-z]\w*$/;
const TERM_NAME = /^[A-Za-z][\w.-]*$/;
const TERM_VALUE = /^(?:0x[0-9a-f]{1,16}|[A-Za-z0-9][\w.-]*)$/i;
/** Files that perf compiles, loads or reads. */
const FILE_ENDING = /\.(?:c|o|bpf)$/i;

/** Parses an event, a list or groups of events. Pure; {@link checkEvents} checks what exists on a target. */
export function parseEvents(text: string): ParsedEvents {
  try {
    const events = splitTop(text).flatMap(parseItem);
    if (events.length > MAX_EVENTS) throw new Refusal(`more than ${MAX_EVENTS} events`);
    return { events, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { events: null, refusal: error.message };
  }
}

class Refusal extends Error {}

/** Splits at commas outside of groups and of a PMU's terms. */
function splitTop(text: string): string[] {
  const items: string[] = [];
  let [start, inGroup, inTerms] = [0, false, false];
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === '{' && inGroup) throw new Refusal('groups within groups');
    if (char === '{') inGroup = true;
    else if (char === '}') inGroup = false;
    else if (char === '/') inTerms = !inTerms;
    if (char === undefined || (char === ',' && !inGroup && !(inTerms && text.indexOf('/', at) >= 0))) {
      items.push(text.slice(start, at));
      [start, inTerms] = [at + 1, false];
    }
  }
  return items;
}

function parseItem(item: string): EventTerm[] {
  if (!item.startsWith('{')) return [parseEvent(item)];
  const match = /^\{([^{}]+)\}(?::([a-zA-Z]+))?$/.exec(item);
  if (match === null) throw new Refusal(`${quoted(item)} is not a group of events`);
  checkModifiers(match[2]);
  return splitTop(match[1]!).map(parseEvent);
}

function parseEvent(text: string): EventTerm {
  if (/^[./~]/.test(text) || text.split(/[:/]/).some((part) => FILE_ENDING.test(part)))
    throw new Refusal(`${quoted(text)} names a file`);
  const memory = MEMORY.exec(text);
  if (memory !== null) {
    checkModifiers(memory[1]);
    return { kind: 'memory', text };
  }
  const pmu = /^([^/:]+)\/([^/]*)\/(?::?([a-zA-Z]+))?$/.exec(text);
  if (pmu !== null) {
    checkModifiers(pmu[3]);
    return { kind: 'pmu', pmu: matched(pmu[1]!, PMU, text), terms: parseTerms(pmu[2]!) };
  }
  const parts = text.split(':');
  const [first = '', second, third, ...more] = parts;
  if (more.length > 0) throw notAnEvent(text);
  if (third !== undefined) {
    checkModifiers(third);
    return tracepoint(first, second!, text);
  }
  if (second === undefined || MODIFIERS.test(second)) {
    // perf reads `r` and hexadecimal digits as a raw event, even if something else has that name.
    if (RAW.test(first)) return { kind: 'raw', text: first };
    return { kind: 'name', name: matched(first, NAME, text) };
  }
  return tracepoint(first, second, text);
}

function parseTerms(text: string): PmuTerm[] {
  if (text === '') return [];
  return text.split(',').map((term) => {
    const at = term.indexOf('=');
    const name = at < 0 ? term : term.slice(0, at);
    const value = at < 0 ? null : term.slice(at + 1);
    if ([name, value].some((part) => part !== null && FILE_ENDING.test(part)))
      throw new Refusal(`${quoted(term)} names a file`);
    if (!TERM_NAME.test(name)) throw new Refusal(`${quoted(term)} is not a term of an event`);
    if (value !== null && !TERM_VALUE.test(value)) {
      throw new Refusal(`${quoted(term)} has a value that is neither a number nor a name`);
    }
    return { name, value };
  });
}

const tracepoint = (system: string, name: string, text: string): EventTerm => ({
  kind: 'tracepoint',
  system: matched(system, TRACEPOINT_PART, text),
  name: matched(name, TRACEPOINT_PART, text),
});

function matched(part: string, pattern: RegExp, text: string): string {
  if (!pattern.test(part)) throw notAnEvent(text);
  return part;
}

function checkModifiers(text: string | undefined): void {
  if (text !== undefined && !MODIFIERS.test(text)) throw new Refusal(`${quoted(text)} are not modifiers of an event`);
}

const notAnEvent = (text: string): Refusal => new Refusal(`${quoted(text)} is not an event`);

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80));
