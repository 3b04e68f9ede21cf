import { expect, it } from 'vitest';
import { commandTitle, commandTitles } from '#core/contract/launched-command.ts';

it.each([
  [['/home/ada/app/server', '--port', '80'], 'server --port 80'],
  [['./server'], 'server'],
  [['make', '-C', '/src/app', 'bench', 'more'], 'make -C /src/app bench'],
  [[], ''],
])('names a capture of %j %j', (argv, title) => {
  expect(commandTitle(argv)).toBe(title);
});

it('knows names that earlier versions gave, with the folders of the program', () => {
  expect(commandTitles(['/opt/server', '-v'])).toEqual(['server -v', '/opt/server -v']);
});
