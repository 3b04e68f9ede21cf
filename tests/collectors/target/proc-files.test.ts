import { describe, expect, test } from 'vitest';
import {
  parseBootTime,
  parseCommandLine,
  parseContainer,
  parseFields,
  parseProcStat,
} from '#collectors/target/proc-files.ts';

const after = ' S 1 42 42 0 -1 4194560 1 2 3 4 500 70 8 9 20 0 3 0 123456789012345678 1000 25 18446744073709551615';

describe('/proc/<pid>/stat', () => {
  test('a name may hold blanks, parentheses and line feeds', () => {
    expect(parseProcStat(`42 (a) (b\n c)${after}`)).toEqual({
      pid: 42,
      name: 'a) (b\n c',
      state: 'S',
      parent: 1,
      isKernelThread: false,
      cpuTicks: 570,
      threads: 3,
      startTicks: '123456789012345678',
      rssPages: 25,
    });
  });
  test('kernel threads are known by their flag', () => {
    const stat = '2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 8 0 0 20 0 1 0 24 0 0';
    expect(parseProcStat(stat)).toMatchObject({ isKernelThread: true });
  });
  test.each(['', 'x', '42', '42 (cut', '42 (cut) S 1', 'x (y) S'])('%j is none', (text) => {
    expect(parseProcStat(text)).toBeNull();
  });
});

test('status and os-release fields', () => {
  const fields = parseFields('Name:\tx\nUid:\t1\t2\t3\t4\nID=debian\nPRETTY_NAME="Debian 12"\n__proto__: odd\n');
  expect([...fields]).toEqual([
    ['Name', 'x'],
    ['Uid', '1\t2\t3\t4'],
    ['ID', 'debian'],
    ['PRETTY_NAME', 'Debian 12'],
    ['__proto__', 'odd'],
  ]);
});

test('command lines', () => {
  const parse = (text: string): string[] => parseCommandLine(new TextEncoder().encode(text));
  expect(parse('a\0b c\0\0d\0')).toEqual(['a', 'b c', '', 'd']);
  expect(parse('nginx: worker process\0\0\0')).toEqual(['nginx: worker process']);
  expect(parse('')).toEqual([]);
});

test('boot time', () => {
  expect(parseBootTime('cpu 1 2\nbtime 1795257936\n')).toBe(1795257936);
  expect(parseBootTime('cpu 1 2\n')).toBeNull();
});

const id = '0123456789abcdef'.repeat(4);
test.each([
  ['0::/\n', null],
  ['0::/user.slice/user-1000.slice/session-2.scope\n', null],
  ['0::/system.slice/nginx.service\n', null],
  [`0::/system.slice/docker-${id}.scope\n`, 'docker:0123456789ab'],
  [`12:pids:/docker/${id}\n11:cpu:/docker/${id}\n`, 'docker:0123456789ab'],
  [`0::/machine.slice/libpod-${id}.scope/container\n`, 'podman:0123456789ab'],
  [`0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-${id}.scope`, 'containerd:0123456789ab'],
  [`4:cpu:/kubepods/burstable/pod1234-56/${id}\n`, 'kubernetes:0123456789ab'],
  ['0::/lxc.payload.web01/system.slice\n', 'lxc:web01'],
  ['1:name=systemd:/lxc/web02\n', 'lxc:web02'],
])('container of %j: %s', (text, container) => {
  expect(parseContainer(text)).toBe(container);
});
