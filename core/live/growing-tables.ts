import { StringRows } from '../model/intern/string-rows.ts';
import { FunctionKind, type Profile } from '../model/profile.ts';

/** Maximum distinct stacks of a session; the weight of further ones goes to their deepest known caller. */
const MAX_STACKS = 400_000;
/** Maximum distinct functions; further ones count as one, for programs that generate functions without end. */
const MAX_FUNCTIONS = 200_000;
/** Maximum distinct threads; further ones count as one, for programs with a thread per request. */
const MAX_THREADS = 5000;

export interface TableLimits {
  readonly stacks: number;
  readonly functions: number;
  readonly threads: number;
}

export const TABLE_LIMITS: TableLimits = { stacks: MAX_STACKS, functions: MAX_FUNCTIONS, threads: MAX_THREADS };

/** The rows of an appended profile in the growing tables. */
export interface Placed {
  /** By stack row of the profile; −1 for a stack that is cut at its root. */
  readonly stacks: Int32Array;
  readonly threads: Int32Array;
}

/**
 * Strings, functions, frames, stacks and threads of all profiles that were appended. Rows only grow, so an index means
 * the same in every snapshot. Addresses are left out: stacks that differ only in them are one.
 */
export class GrowingTables {
  readonly #limits: TableLimits;
  readonly #strings = new StringRows();
  readonly #functions = {
    name: [] as number[],
    module: [] as number[],
    file: [] as number[],
    line: [] as number[],
    kind: [] as number[],
  };
  readonly #functionRows = new Map<string, number>();
  readonly #frames = { func: [] as number[], line: [] as number[], inline: [] as number[] };
  readonly #frameRows = new Map<string, number>();
  #hasLines = false;
  readonly #stacks = { parent: [] as number[], frame: [] as number[] };
  readonly #stackRows = new Map<number, number>();
  readonly #threads = { pid: [] as number[], tid: [] as number[], name: [] as number[] };
  readonly #threadRows = new Map<string, number>();
  /** How often a stack was cut, or a function or thread was joined with others, because of the limits. */
  readonly beyond = { stacks: 0, functions: 0, threads: 0 };

  constructor(limits: TableLimits) {
    this.#limits = limits;
  }

  /** Adds the new rows of the profile's tables, and returns where all its rows are. */
  place(profile: Profile): Placed {
    const { strings, functions, frames, stacks, threads } = profile;
    const functionOf = Int32Array.from({ length: functions.length }, (_, row) =>
      this.#function(
        strings[functions.name[row]!]!,
        strings[functions.module[row]!]!,
        strings[functions.file[row]!]!,
        functions.line[row]!,
        functions.kind[row]!,
      ),
    );
    const frameOf = Int32Array.from({ length: frames.length }, (_, row) =>
      this.#frame(functionOf[frames.func[row]!]!, frames.line?.[row] ?? 0, frames.inline[row]!),
    );
    const stackOf = new Int32Array(stacks.length);
    for (let row = 0; row < stacks.length; row++) {
      const parent = stacks.parent[row]!;
      stackOf[row] = this.#stack(parent < 0 ? -1 : stackOf[parent]!, frameOf[stacks.frame[row]!]!);
    }
    const threadOf = Int32Array.from({ length: threads.length }, (_, row) =>
      this.#thread(threads.pid[row]!, threads.tid[row]!, strings[threads.name[row]!]!),
    );
    return { stacks: stackOf, threads: threadOf };
  }

  /** Returns the functions of a stack, each once, leaf first; none for −1. */
  functionsOf(stack: number): number[] {
    const found = new Set<number>();
    for (let at = stack; at >= 0; at = this.#stacks.parent[at]!) {
      found.add(this.#frames.func[this.#stacks.frame[at]!]!);
    }
    return [...found];
  }

  /** Returns the current tables. */
  finish(): Pick<Profile, 'strings' | 'functions' | 'frames' | 'stacks' | 'threads'> {
    const { name, module, file, line, kind } = this.#functions;
    return {
      strings: this.#strings.list.slice(),
      functions: {
        length: name.length,
        name: Int32Array.from(name),
        module: Int32Array.from(module),
        file: Int32Array.from(file),
        line: Int32Array.from(line),
        kind: Uint8Array.from(kind),
      },
      frames: {
        length: this.#frames.func.length,
        func: Int32Array.from(this.#frames.func),
        address: null,
        line: this.#hasLines ? Int32Array.from(this.#frames.line) : null,
        inline: Uint8Array.from(this.#frames.inline),
      },
      stacks: {
        length: this.#stacks.parent.length,
        parent: Int32Array.from(this.#stacks.parent),
        frame: Int32Array.from(this.#stacks.frame),
      },
      threads: {
        length: this.#threads.pid.length,
        pid: Int32Array.from(this.#threads.pid),
        tid: Int32Array.from(this.#threads.tid),
        name: Int32Array.from(this.#threads.name),
      },
    };
  }

  #function(name: string, module: string, file: string, line: number, kind: number): number {
    const key = JSON.stringify([name, module, file, line, kind]);
    const known = this.#functionRows.get(key);
    if (known !== undefined) return known;
    if (this.#functionRows.size >= this.#limits.functions && name !== OTHER_FUNCTIONS) {
      this.beyond.functions += 1;
      return this.#function(OTHER_FUNCTIONS, '', '', 0, FunctionKind.unknown);
    }
    this.#functionRows.set(key, this.#functionRows.size);
    this.#functions.name.push(this.#strings.rowOf(name));
    this.#functions.module.push(this.#strings.rowOf(module));
    this.#functions.file.push(this.#strings.rowOf(file));
    this.#functions.line.push(line);
    this.#functions.kind.push(kind);
    return this.#functionRows.size - 1;
  }

  #frame(func: number, line: number, inline: number): number {
    const key = `${func} ${line} ${inline}`;
    const known = this.#frameRows.get(key);
    if (known !== undefined) return known;
    this.#hasLines ||= line > 0;
    this.#frameRows.set(key, this.#frameRows.size);
    this.#frames.func.push(func);
    this.#frames.line.push(line);
    this.#frames.inline.push(inline);
    return this.#frameRows.size - 1;
  }

  #stack(parent: number, frame: number): number {
    // Both are below 2^26, so the key is exact.
    const key = (parent + 1) * 2 ** 26 + frame;
    const known = this.#stackRows.get(key);
    if (known !== undefined) return known;
    if (this.#stackRows.size >= this.#limits.stacks) {
      this.beyond.stacks += 1;
      return parent;
    }
    this.#stackRows.set(key, this.#stackRows.size);
    this.#stacks.parent.push(parent);
    this.#stacks.frame.push(frame);
    return this.#stackRows.size - 1;
  }

  #thread(pid: number, tid: number, name: string): number {
    const key = `${pid} ${tid} ${name}`;
    const known = this.#threadRows.get(key);
    if (known !== undefined) return known;
    if (this.#threadRows.size >= this.#limits.threads && key !== OTHER_THREADS.key) {
      this.beyond.threads += 1;
      return this.#thread(-1, -1, OTHER_THREADS.name);
    }
    this.#threadRows.set(key, this.#threadRows.size);
    this.#threads.pid.push(pid);
    this.#threads.tid.push(tid);
    this.#threads.name.push(this.#strings.rowOf(name));
    return this.#threadRows.size - 1;
  }
}

const OTHER_FUNCTIONS = '(other functions)';
const OTHER_THREADS = { name: '(other threads)', key: '-1 -1 (other threads)' };
