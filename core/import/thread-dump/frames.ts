import { FunctionKind } from '../../model/profile.ts';
import type { FunctionKey } from '../../model/profile-builder.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';
import { lineOf } from '../text/json-value.ts';

/** `line` is the line that ran, 0 if unknown. */
export interface DumpFrame extends Omit<FunctionKey, 'line'> {
  readonly address?: bigint | undefined;
  readonly line: number;
}

/** Returns the frame of `java.lang.Thread.run(java.base@17.0.15/Thread.java:840)`; null for other text. */
export function javaFrame(text: string): DumpFrame | null {
  const open = text.lastIndexOf('(');
  if (open < 1 || !text.endsWith(')')) return null;
  // A module stands before the method (`app//a.B.c`) or before the file.
  const [, module = '', method = ''] = /^(?:([\w.$-]*)(?:@[^/]*)?\/{1,2}(?=[a-z]))?([^]*)$/.exec(text.slice(0, open))!;
  const place = text.slice(open + 1, -1);
  const slash = place.lastIndexOf('/');
  const { file, line } = fileAndLine(place.slice(slash + 1));
  const isSource = !/^(?:Native Method|Unknown Source|<generated>|Redefined)$/.test(file);
  return {
    // Hidden classes have their address in their name.
    name: method.replace(/\/0x[0-9a-f]+/, ''),
    module: (slash > 0 ? place.slice(0, slash) : module).replace(/@.*/, ''),
    file: isSource ? file : '',
    kind: FunctionKind.jit,
    line: isSource ? line : 0,
  };
}

/** Returns the frame of `leaf (t.py:2)` or `poll (libc.so.6)`; null for other text. */
export function pythonFrame(text: string): DumpFrame | null {
  const open = text.lastIndexOf(' (');
  if (open < 1 || !text.endsWith(')')) return null;
  const place = text.slice(open + 2, -1);
  const { file, line } = fileAndLine(place);
  const name = text.slice(0, open);
  return /:\d+$/.test(place)
    ? { name, file, kind: FunctionKind.interpreted, line }
    : { name, module: place, kind: FunctionKind.user, line: 0 };
}

/** Returns the frame of eu-stack's `#1  0x000055a78106716a leaf - /srv/app`; null for gdb's. */
export function stackFrame(text: string): DumpFrame | null {
  const [, address, rest] = /^#\d+ +0x([0-9a-f]{1,16})(?: - 1)?(?: (?!in )(.*))?$/.exec(text) ?? [];
  if (address === undefined) return null;
  const dash = rest?.lastIndexOf(' - ') ?? -1;
  const name = dash < 0 ? (rest ?? '') : rest!.slice(0, dash);
  const module = dash < 0 ? '' : rest!.slice(dash + 3);
  return native(name.trim(), module, '', 0, address);
}

/** Returns eu-stack's frame with its place, `/srv/app/h.c:3:28`: file, line and column. */
export const withPlace = (frame: DumpFrame, place: string): DumpFrame => ({
  ...frame,
  ...fileAndLine(place.replace(/:\d+$/, '')),
});

/** The text ends in a file or a library, so the frame is complete. */
export const isGdbPlace = (text: string): boolean => /\) (?:at|from) \S[^)]*$/.test(text.slice(-1024));

/** Returns the frame of gdb's `#1  0x000055e03fb1f16a in leaf (p=0x0) at h.c:3`; null for other text. */
export function gdbFrame(text: string): DumpFrame | null {
  const [head, address] = /^#\d+ +(?:0x([0-9a-f]{1,16}) in )?/.exec(text) ?? [];
  if (head === undefined) return null;
  const rest = text.slice(head.length);
  if (rest.startsWith('<signal handler called>')) return native('<signal handler called>', '', '', 0, address);
  const at = rest.lastIndexOf(') at ');
  const from = rest.lastIndexOf(') from ');
  const close = Math.max(at, from);
  const call = close < 0 ? rest : rest.slice(0, close + 1);
  const { file, line } = at > from ? fileAndLine(rest.slice(at + 5)) : { file: '', line: 0 };
  const name = nameOfCall(call);
  return name === '' ? null : native(name, from > at ? rest.slice(from + 7) : '', file, line, address);
}

function native(name: string, module: string, file: string, line: number, address: string | undefined): DumpFrame {
  const isNamed = name !== '' && name !== '??';
  const place = address === undefined ? undefined : BigInt(`0x${address}`);
  const func = isNamed ? { name, module, kind: FunctionKind.user } : unresolvedFunction(module);
  return { ...func, file, line, address: place };
}

/** Returns what stands before the last group of parentheses, which has the arguments. */
function nameOfCall(call: string): string {
  let depth = 0;
  for (let at = call.length - 1; at > 0; at--) {
    if (call[at] === ')') depth += 1;
    else if (call[at] === '(') {
      depth -= 1;
      if (depth === 0 && call[at - 1] === ' ') return call.slice(0, at - 1);
    }
  }
  const open = call.indexOf(' (');
  return open < 0 ? call : call.slice(0, open);
}

function fileAndLine(place: string): { readonly file: string; readonly line: number } {
  const colon = place.lastIndexOf(':');
  const digits = colon < 0 ? '' : place.slice(colon + 1);
  return /^\d+$/.test(digits)
    ? { file: place.slice(0, colon), line: lineOf(Number(digits)) }
    : { file: place, line: 0 };
}
