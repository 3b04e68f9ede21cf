import { describe, expect, it } from 'vitest';
import { explainStapFailure } from '#collectors/stap/explain-failure.ts';

const FAILED = { code: 1, signal: null };

/** What stap 4.8 (Debian 12) and 5.1 (Debian 13) printed. */
const SAID: readonly (readonly [code: string, remedy: RegExp, stderr: string])[] = [
  [
    'stap-older-than-kernel',
    /--mend/,
    "stp_task_work.c:107:33: error: passing argument 2 of '(int (*)(struct task_struct *, struct callback_head *))kallsyms_task_work_cancel' from incompatible pointer type\ncc1: all warnings being treated as errors\nWARNING: kbuild exited with status: 2\nPass 4: compilation failed.  [man error::pass4]",
  ],
  ['not-mended', /bpftrace/, 'mend: uprobe_register is used in an unknown way'],
  ['stap-older-than-kernel', /5\.2/, "ERROR: Can't resolve uprobe_unregister!"],
  ['stap-older-than-kernel', /5\.2/, "/rt/linux/uprobes-inode.c:50:17: error: 'uprobe_unregister' undeclared here"],
  ['stap-older-than-kernel', /--mend/, 'error: "COUNT_ARGS" redefined [-Werror]'],
  [
    'no-headers',
    /linux-headers/,
    'Checking "/lib/modules/6.1.0-1-amd64/build/.config" failed with error: No such file or directory',
  ],
  [
    'no-such-function',
    /nm -C/,
    'semantic error: while resolving probe point: identifier \'process\' at <input>:1:7\n        source: probe process("/opt/demo").function("nope") { exit() }\n                      ^\n\nsemantic error: no match (similar functions: atol, _init)\nPass 2: analysis failed.  [man error::pass2]',
  ],
  [
    'no-tracepoint',
    /tracequery_/,
    'semantic error: while resolving probe point: identifier \'kernel\' at <input>:1:7\n        source: probe kernel.trace("sched:sched_switch") {\nsemantic error: no match\nPass 2: analysis failed.',
  ],
  [
    'no-luajit-types',
    /dbgsym/,
    "semantic error: type definition 'GG_State' not found in '/usr/sbin/nginx': operator '@cast' at <input>:28:18",
  ],
  ['no-return-probes', /System\.map/, 'semantic error: process return probes not available [man error::inode-uprobes]'],
  [
    'script-error',
    /stap -p2/,
    "parse error: expected literal string or number\n        saw: operator '}' at <input>:1:20",
  ],
  ['not-permitted', /stapusr/, '/bin/sh: 1: exec: /usr/bin/staprun: Permission denied'],
  ['not-permitted', /stapusr/, 'You are trying to run systemtap as a normal user.'],
  ['unsigned-module', /mokutil/, "ERROR: Couldn't insert module '/x.ko': Operation not permitted"],
  ['unsigned-module', /mokutil/, "ERROR: Couldn't insert module '/x.ko': Key was rejected by service"],
  ['other-kernel', /exactly/, "ERROR: Couldn't insert module '/x.ko': Invalid module format"],
  ['overload', /lower rate/, 'ERROR: probe overhead exceeded threshold'],
  ['map-full', /global name/, "ERROR: Array overflow, check MAXMAPENTRIES near identifier 'a' at <input>:1:55"],
  [
    'skipped',
    /lower rate/,
    'WARNING: Number of errors: 0, skipped probes: 101\nERROR: Skipped too many probes, check MAXSKIPPED',
  ],
  ['target-disk-full', /free some space/, 'fatal error: when writing output to : No space left on device'],
  [
    'no-debuginfo',
    /stap-prep/,
    "semantic error: missing x86_64 kernel/module debuginfo [man warning::debuginfo] under '/lib/modules'",
  ],
];

describe('a failure of SystemTap', () => {
  it.each(SAID)('%s has a remedy (%s)', (code, remedy, stderr) => {
    const failure = explainStapFailure(stderr, FAILED);
    expect(failure.code).toBe(code);
    expect(failure.remedy).toMatch(remedy);
    expect(failure.message.split('\n')).toHaveLength(1);
  });

  it('quotes an unknown failure', () => {
    expect(explainStapFailure('make[1]: Error 2\nERROR: the moon is full\n', FAILED)).toMatchObject({
      code: 'stap-failed',
      message: 'SystemTap failed (exit code 1): the moon is full',
    });
  });
});
