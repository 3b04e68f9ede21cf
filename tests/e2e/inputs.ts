/**
 * Returns text with two threads, two events, and timestamps over two seconds; `inner` has 60 % of the clock, `fault`
 * all page faults.
 */
export function perfScript(): string {
  const blocks: string[] = [];
  for (let sample = 0; sample < 200; sample++) {
    const time = (10 + sample / 100).toFixed(6);
    const worker = sample % 4 === 0;
    const [name, tid] = worker ? ['worker', 102] : ['main', 101];
    const leaf = sample % 5 < 3 ? 'inner' : 'outer';
    blocks.push(
      [
        `${name}   100/${tid} [000] ${time}:   10101010 cpu-clock: `,
        `\t    55d000000010 ${leaf}+0x10 (/opt/app/server)`,
        `\t    55d000000020 ${worker ? 'run_worker' : 'serve'}+0x20 (/opt/app/server)`,
        '\t    55d000000030 main+0x30 (/opt/app/server)',
        '',
      ].join('\n'),
    );
    if (sample % 10 === 0) {
      blocks.push(
        [
          `${name}   100/${tid} [000] ${time}:          1 page-faults: `,
          '\t    55d000000040 fault+0x10 (/opt/app/server)',
          '\t    55d000000030 main+0x30 (/opt/app/server)',
          '',
        ].join('\n'),
      );
    }
  }
  return `${blocks.join('\n')}\n`;
}

/** `work` has 60, `idle` 40, with recursion below `work`. */
export const FOLDED = 'main;work;inner 40\nmain;work;work;inner 20\nmain;idle 40\n';

export const HOSTILE_NAMES = [
  '</script><img src=x onerror=alert(1)>',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '<svg/onload=alert(2)>',
  'a\u202eb',
  'toString',
];
