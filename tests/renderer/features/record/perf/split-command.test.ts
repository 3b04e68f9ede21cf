import { describe, expect, it } from 'vitest';
import { splitCommand } from '../../../../../renderer/features/record/perf/perf-form.ts';

describe('splitCommand', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  ./server   --port 8080 ', ['./server', '--port', '8080']],
    [`sh -c 'a | b; c $x'`, ['sh', '-c', 'a | b; c $x']],
    [`"a b"'c d'e`, ['a bc de']],
    [`"a\\"b\\\\c\\d"`, ['a"b\\c\\d']],
    ['a\\ b', ['a b']],
    [`'' ""`, ['', '']],
    ['übung 名前', ['übung', '名前']],
  ])('splits %j', (text, argv) => {
    expect(splitCommand(text)).toEqual({ ok: true, argv });
  });

  it.each(['a | b', 'a > b', 'a && b', 'a; b', 'echo $HOME', 'a `b`', "a 'b", 'a "b', 'a\\'])('refuses %j', (text) => {
    expect(splitCommand(text)).toMatchObject({ ok: false, message: expect.any(String) as string });
  });
});
