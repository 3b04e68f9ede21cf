import { NO_STACK, type EventIndex, type FrameIndex, type ThreadIndex } from '../../model/brand.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import type { SourceLocation } from '../../model/diagnostics.ts';
import { ProfileBuilder, type FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { valueTypesOfEvents } from '../perf-script/events.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** The maximum of a profile; simpleperf records a handful. */
const MAX_EVENTS = 255;
const OTHER_EVENT = '(other events)';
/** Files that contain Java code, compiled or not. */
const JAVA_FILE = /\.(?:oat|odex|vdex|dex|jar|apk)$|^\[JIT app cache\]$/;

export interface SimpleperfSample {
  /** Nanoseconds on the recording's clock. */
  readonly time: bigint;
  readonly thread: ThreadIndex;
  readonly event: EventIndex;
  readonly count: bigint;
  readonly leafFirst: readonly FrameIndex[];
  /** Location in the report. */
  readonly first: SourceLocation;
}

/** Builds the profile for both kinds of report. */
export class SimpleperfSamples {
  readonly builder = new ProfileBuilder(1);
  readonly #eventNames: string[] = [];
  readonly #used = new Set<number>();
  #origin: bigint | null = null;

  event(name: string): EventIndex {
    const known = this.#eventNames.indexOf(name);
    if (known >= 0) return known as EventIndex;
    const isLast = this.#eventNames.length >= MAX_EVENTS - 1;
    if (this.#eventNames.length === MAX_EVENTS - 1)
      this.builder.diagnostics.add('many-events', `Events after the first ${MAX_EVENTS - 1} are counted as one.`);
    const event = this.builder.event(isLast ? OTHER_EVENT : name);
    this.#eventNames[event] = isLast ? OTHER_EVENT : name;
    return event;
  }

  add({ time, thread, event, count, leafFirst, first }: SimpleperfSample): void {
    this.#origin ??= time;
    this.#used.add(event);
    if (count > BigInt(Number.MAX_SAFE_INTEGER)) {
      this.builder.diagnostics.add(...INEXACT_WEIGHT, { first });
    }
    const stack = this.builder.stackOf(leafFirst);
    this.builder.sample(
      { stack: leafFirst.length === 0 ? NO_STACK : stack, thread, event, time: Number(time - this.#origin) },
      Number(count),
    );
  }

  diagnose(lostCount: number, contextSwitches: number): void {
    const { diagnostics } = this.builder;
    if (lostCount > 0) {
      diagnostics.add('lost-samples', 'simpleperf lost samples because its buffer was full.', {
        count: lostCount,
        remedy: 'Record at a lower rate (-f), or with larger buffers (-m).',
      });
    }
    if (contextSwitches > 0) {
      diagnostics.add('context-switches', 'Context switches are not shown.', {
        severity: 'info',
        count: contextSwitches,
      });
    }
  }

  finish(format: string, comments: readonly string[]): Profile {
    const valueTypes = valueTypesOfEvents(this.#eventNames.map((name) => ({ name, hasPeriod: true })));
    const profile = this.builder.finish(
      valueTypes.filter(({ event }) => this.#used.has(event)),
      {
        format,
        tool: 'simpleperf',
        timeOrigin: this.#origin,
        comments,
      },
    );
    return diagnoseUnresolved(profile, 'Let simpleperf find symbols (--symdir), those of the kernel as root.');
  }
}

/** `name` is empty if there is no symbol. */
export function simpleperfFunction(path: string, name: string, isJava: boolean): FunctionKey {
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') {
    return { name: base === '' ? '[unknown]' : bracketed(base), module: path, kind: FunctionKind.unresolved };
  }
  return { name: demangle(name) ?? name, module: path, kind: kindOf(path, isJava) };
}

const bracketed = (text: string): string => (/^\[.*\]$/s.test(text) ? text : `[${text}]`);

/** All Java methods have the same kind, because a method may be interpreted first and compiled later. */
function kindOf(path: string, isJava: boolean): FunctionKind {
  if (path.startsWith('[kernel.kallsyms]') || path.endsWith('.ko')) return FunctionKind.kernel;
  return isJava || JAVA_FILE.test(path) ? FunctionKind.jit : FunctionKind.user;
}
