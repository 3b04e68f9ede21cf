import type { FrameIndex, ThreadIndex } from '../../model/brand.ts';
import { ProfileBuilder, type FunctionKey } from '../../model/profile-builder.ts';
import type { Profile, ProfileMetadata } from '../../model/profile.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';

/**
 * V8's states. Source: StateTag in include/v8-unwinder.h; in this order since V8 6, except for those after `external`.
 */
const STATES = ['JS', 'GC', 'parser', 'bytecode compiler', 'compiler', 'other', 'external'];
/** Before V8 6 there was no parser state, and the following numbers differed. */
const OLD_STATES = ['JS', 'GC'];
const STATE_LABEL = 'vm-state';
const TIER_LABEL = 'tier';

/** One sample of V8's profiler. */
interface V8Tick {
  /** Microseconds since V8 started; NaN if the log has none. */
  readonly time: number;
  readonly vmState: number;
  /** The tier that ran the innermost function of a script; null if unknown. */
  readonly tier: string | null;
}

/** The samples of a `--prof` log in any of its forms. Each counts 1, and weighs the time since the previous one. */
export class V8LogProfile {
  readonly builder = new ProfileBuilder(1);
  readonly #thread: ThreadIndex = this.builder.thread(-1, -1, '');
  #lastTime = 0;
  #hasTimes = false;

  /** Creates a frame without an address: V8's code moves, so addresses are meaningless. */
  frame(func: FunctionKey): FrameIndex {
    return this.builder.frame({ func: this.builder.function(func) });
  }

  /** Creates a frame without a symbol. `address` is in memory or in the module; null if it is not exact. */
  unresolved(module: string, address: number | null): FrameIndex {
    const func = this.builder.function(unresolvedFunction(module));
    return this.builder.frame({ func, address: address === null ? null : BigInt(address) });
  }

  /** `isOld`: from before V8 6. */
  sample(leafFirst: readonly FrameIndex[], { time, vmState, tier }: V8Tick, isOld: boolean): void {
    const stack = this.builder.stackOf(leafFirst);
    const state = (isOld ? OLD_STATES : STATES)[vmState] ?? String(vmState);
    const labels = [{ key: STATE_LABEL, text: state }, ...(tier === null ? [] : [{ key: TIER_LABEL, text: tier }])];
    const labelSet = this.builder.labelSet(labels);
    if (Number.isNaN(time)) return this.builder.sample({ stack, thread: this.#thread, labelSet }, 0);
    this.#hasTimes = true;
    if (time < this.#lastTime) {
      const message = 'Samples that were written late have no weight.';
      this.builder.diagnostics.add('late-samples', message, { severity: 'info' });
    }
    const since = Math.max(0, time - this.#lastTime);
    this.#lastTime = Math.max(time, this.#lastTime);
    this.builder.sample({ stack, thread: this.#thread, labelSet, time: time * 1000 }, since);
  }

  finish(metadata: Partial<ProfileMetadata> & Pick<ProfileMetadata, 'format'>): Profile {
    const samples = { type: 'samples', unit: 'count', column: -1 };
    const time = { type: 'time', unit: 'microseconds', column: 0 };
    const profile = this.builder.finish(this.#hasTimes ? [samples, time] : [samples], {
      ...(this.#hasTimes ? { timeOrigin: 0n, durationNs: this.#lastTime * 1000 } : {}),
      tool: 'V8',
      ...metadata,
    });
    return diagnoseUnresolved(profile, REMEDY);
  }
}

const REMEDY =
  'The log names only V8’s code. Record with perf and `node --perf-basic-prof` to see symbols of binaries too.';
