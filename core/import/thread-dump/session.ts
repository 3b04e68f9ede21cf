import type { FrameIndex, StackIndex, ThreadIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Label, Profile } from '../../model/profile.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';
import { gdbFrame, isGdbPlace, javaFrame, pythonFrame, stackFrame, withPlace, type DumpFrame } from './frames.ts';

/** A row of the profile, until it is known whether there are several dumps and whether they have times. */
interface Pending {
  readonly stack: StackIndex;
  readonly thread: ThreadIndex;
  readonly labels: Label[];
  readonly dump: number;
}

interface OpenThread {
  readonly thread: ThreadIndex;
  readonly labels: Label[];
  /** Leaf first. */
  readonly frames: FrameIndex[];
}

/** `2024-01-01 12:00:00`, above a Java dump; it has no time zone. */
const DATE = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
const NS_PER_MS = 1e6;
/** Bounds the time for lines that seem to continue a frame; gdb breaks arguments of some hundred characters. */
const MAX_GDB_LINES = 64;
/** Lines kept as text; a dump of thousands of threads has fewer distinct ones. */
const MAX_KNOWN = 100_000;
const JAVA_STATE = '   java.lang.Thread.State: ';
/** Java thread headers end in their native id and what the VM does: `nid=0x7f6 runnable  [0x00007f01]`. */
const NATIVE_ID = /^ nid=(0x[0-9a-f]{1,8}|\d{1,9})\b/;
const GDB_THREAD = /^Thread \d{1,9} \((?:Thread 0x[0-9a-f]{1,16} \()?(?:LWP|process) (\d{1,9})\)?(?: "([^"]*)")?\)*:/;
const EU_PROCESS = /^PID (\d{1,9}) - /;
const EU_THREAD = /^TID (\d{1,9}):$/;
const PYTHON_PROCESS = /^Process (\d{1,9}): /;
const PYTHON_THREAD = /^Thread (0x[0-9a-fA-F]{1,16}|\d{1,15})(?:\/\S+)? \(([^)]*)\)(?:: "(.*)")?$/;
const WAITS =
  /^\t- (?:waiting on|waiting to lock|waiting to re-lock in wait\(\)|parking to wait for) +<[^>]*> \(a (.*)\)$/;
/** Lines about locks that threads hold, and blanks; part of every dump. */
const HELD =
  /^(?:\t- .*|\s*|   Locked ownable synchronizers:|_java_thread_list=.*|Threads class SMR info:|elements=.*|0x[0-9a-f]{16}[,0-9a-fx ]*|\}|Python v\d.*|\d{1,9}:|JNI global ref.*)$/;

export class ThreadDumpSession implements LineSession {
  readonly #builder = new ProfileBuilder(0);
  readonly #pending: Pending[] = [];
  /** Time of each dump in milliseconds; NaN if it has none. */
  readonly #times: number[] = [];
  /** Threads of the current dump: a thread that comes again begins the next one. */
  #seen = new Set<ThreadIndex>();
  #lineNumber = 0;
  #date = Number.NaN;
  #pid = -1;
  #open: OpenThread | null = null;
  /** Frames by the text of their line: several dumps repeat it. */
  readonly #known = new Map<string, FrameIndex>();
  /** A frame of gdb whose text may continue on the next line. */
  #gdb: { text: string; lines: number; readonly line: number } | null = null;
  /** A frame of eu-stack whose file and line may be on the next line. */
  #stack: DumpFrame | null = null;

  finish(lastLine: number): Profile {
    this.#close();
    if (this.#pending.length === 0) throw malformed('no thread has a stack', lastLine);
    const [first = 0] = this.#times;
    const isTimed = this.#times.every((time) => !Number.isNaN(time));
    for (const { stack, thread, labels, dump } of this.#pending) {
      const all = this.#times.length > 1 ? [...labels, { key: 'dump', text: String(dump + 1) }] : labels;
      const time = isTimed ? (this.#times[dump]! - first) * NS_PER_MS : undefined;
      this.#builder.sample({ stack, thread, time, labelSet: all.length > 0 ? this.#builder.labelSet(all) : undefined });
    }
    return this.#builder.finish([{ type: 'threads', unit: 'count', column: -1 }], {
      format: 'thread-dump',
      timeOrigin: isTimed ? 0n : null,
    });
  }

  line({ text, number }: TextLine): void {
    this.#lineNumber = number;
    // Nothing of these begins with a tab; Java's frames are most lines of a dump.
    const known =
      text.startsWith('\tat ') && this.#gdb === null && this.#stack === null ? this.#known.get(text) : undefined;
    if (known !== undefined && this.#open !== null) {
      this.#open.frames.push(known);
      return;
    }
    if (this.#gdb !== null && this.#gdb.lines < MAX_GDB_LINES && /^ {4}\S/.test(text) && !isGdbPlace(this.#gdb.text)) {
      this.#gdb.lines += 1;
      this.#gdb.text += ` ${text.trim()}`;
      return;
    }
    if (this.#stack !== null && /^ {4}\S/.test(text)) this.#stack = withPlace(this.#stack, text.trim());
    else this.#entry(text, number);
  }

  #entry(text: string, number: number): void {
    this.#flush();
    if (this.#headerLine(text)) return;
    const open = this.#open;
    if (open === null) return this.#outside(text, number);
    if (text.startsWith('\tat ')) return this.#add(text, () => javaFrame(text.slice(4)), number);
    if (text.startsWith(JAVA_STATE)) open.labels.push({ key: 'state', text: text.slice(JAVA_STATE.length) });
    else if (text.startsWith('#')) this.#numbered(text, number);
    else if (/^ {4}\S/.test(text)) this.#add(text, () => pythonFrame(text.trim()), number);
    else if (WAITS.test(text)) open.labels.push({ key: 'waiting for', text: WAITS.exec(text)![1]! });
    // Variables of `py-spy dump --locals` and of gdb's `bt full`.
    else if (!/^ {5}/.test(text) && !HELD.test(text)) {
      this.#close();
      this.#outside(text, number);
    }
  }

  #outside(text: string, line: number): void {
    if (!HELD.test(text)) this.#note('skipped-line', 'Lines outside of any stack were skipped.', line);
  }

  /** Returns whether the line begins a dump, a process or a thread. */
  #headerLine(text: string): boolean {
    // Most lines are frames and blanks, which begin no dump.
    if (!/^[\dFPT"]/.test(text)) return false;
    const date = DATE.exec(text);
    if (date !== null) {
      const [, year, month, ...rest] = date.map(Number) as [number, number, number, number, number, number, number];
      this.#date = Date.UTC(year, month - 1, ...rest);
      return true;
    }
    if (text.startsWith('Full thread dump ')) {
      this.#newDump();
      return true;
    }
    const process = EU_PROCESS.exec(text) ?? PYTHON_PROCESS.exec(text);
    if (process !== null) {
      this.#close();
      this.#pid = Number(process[1]);
      return true;
    }
    const gdb = GDB_THREAD.exec(text);
    if (gdb !== null) return this.#start(Number(gdb[1]), gdb[2] ?? '', []);
    const eu = EU_THREAD.exec(text);
    if (eu !== null) return this.#start(Number(eu[1]), '', []);
    const python = PYTHON_THREAD.exec(text);
    if (python !== null) {
      return this.#start(Number(python[1]), python[3] ?? '', [{ key: 'state', text: python[2]! }]);
    }
    return text.startsWith('"') && this.#javaThread(text);
  }

  #javaThread(text: string): boolean {
    const at = text.lastIndexOf(' nid=');
    const quote = text.lastIndexOf('"', at);
    const id = at < 0 ? null : NATIVE_ID.exec(text.slice(at));
    if (quote < 1 || id === null) return false;
    return this.#start(Number(id[1]), text.slice(1, quote), []);
  }

  #start(tid: number, name: string, labels: Label[]): true {
    this.#close();
    const thread = this.#builder.thread(this.#pid, tid, name);
    if (this.#times.length === 0 || this.#seen.has(thread)) this.#newDump();
    this.#seen.add(thread);
    this.#open = { thread, labels, frames: [] };
    return true;
  }

  #newDump(): void {
    this.#close();
    this.#times.push(this.#date);
    this.#date = Number.NaN;
    this.#seen = new Set();
  }

  #numbered(text: string, line: number): void {
    const frame = stackFrame(text);
    if (frame === null) this.#gdb = { text, lines: 1, line };
    else this.#stack = frame;
  }

  /** Adds a frame whose further lines did not come. */
  #flush(): void {
    const [gdb, stack] = [this.#gdb, this.#stack];
    this.#gdb = null;
    this.#stack = null;
    if (gdb !== null) this.#add(gdb.text, () => gdbFrame(gdb.text), gdb.line);
    if (stack !== null) this.#open!.frames.push(this.#frame(stack));
  }

  /** Adds the frame of a line to the open thread; it is read once. */
  #add(text: string, read: () => DumpFrame | null, line: number): void {
    let known = this.#known.get(text);
    if (known === undefined) {
      const frame = read();
      if (frame === null) return this.#note('skipped-line', 'Lines outside of any stack were skipped.', line);
      known = this.#frame(frame);
      if (this.#known.size < MAX_KNOWN) this.#known.set(text, known);
    }
    this.#open!.frames.push(known);
  }

  #frame({ address, line, ...func }: DumpFrame): FrameIndex {
    return this.#builder.frame({ func: this.#builder.function(func), line, address });
  }

  #close(): void {
    this.#flush();
    const open = this.#open;
    this.#open = null;
    if (open === null) return;
    if (open.frames.length === 0) {
      this.#note('missing-stacks', 'Threads without a stack (of the virtual machine) were skipped.', this.#lineNumber);
      return;
    }
    const stack = this.#builder.stackOf(open.frames);
    this.#pending.push({ stack, thread: open.thread, labels: open.labels, dump: this.#times.length - 1 });
  }

  #note(code: string, message: string, line: number): void {
    this.#builder.diagnostics.add(code, message, { severity: 'info', first: { line: Math.max(1, line) } });
  }
}
