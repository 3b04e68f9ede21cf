import { describe, expect, test } from 'vitest';
import { cleanText, PromptReader } from '#collectors/target/ssh/prompt.ts';

function reading(...texts: string[]): PromptReader {
  const reader = new PromptReader();
  for (const text of texts) reader.feed(text);
  return reader;
}

describe('prompts', () => {
  test.each([
    ['', null],
    ["ada@web1's password: ", "ada@web1's password:"],
    ['Welcome.\r\n', null],
    ['Welcome.\r\nOne-time code: ', 'One-time code:'],
    ["ada@web1's password: \r\n", null],
    [
      'Are you sure you want to continue connecting (yes/no/[fingerprint])? ye',
      'Are you sure you want to continue connecting (yes/no/[fingerprint])? ye',
    ],
    ['Confirm user presence for key ED25519-SK SHA256:abc\r\n', 'Confirm user presence for key ED25519-SK SHA256:abc'],
    ['Confirm user presence for key ED25519-SK SHA256:abc\r\nUser presence confirmed\r\n', null],
    ['\u001b[1mPassword:\u001b[0m ', 'Password:'],
    ['\u001b]0;title\u0007', null],
  ])('%j asks %j', (text, prompt) => {
    expect(reading(text).prompt).toBe(prompt);
  });

  test('are recognised in parts', () => {
    expect(reading('Pass', 'word', ': ').prompt).toBe('Password:');
  });

  test('keep only the end of long output', () => {
    const reader = reading(...Array.from({ length: 1000 }, (_, index) => `line ${index} ${'x'.repeat(50)}\r\n`));
    expect(reader.lines.length).toBeLessThan(400);
    expect(reader.lines.at(-1)).toMatch(/^line 999 /);
  });

  test.each([
    ['\u001b]52;c;ZXZpbA==\u0007text', 'text'],
    ['\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a\u001b[2Jb\u001b(Bc\u001bcd', 'abcd'],
    ['a\u0000b\u202ec\u0085d\u2028e', 'a b c d e'],
    ['unfinished \u001b]0;t', 'unfinished'],
    ['x'.repeat(300), `${'x'.repeat(200)}…`],
  ])('%j is shown as %j', (text, shown) => {
    expect(cleanText(text)).toBe(shown);
  });
});
