import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHostTextFilter } from '../../../../renderer/state/terminal/host-text.ts';

const ESC = '\u001b';

function pass(...pieces: string[]): { shown: string; dropped: number } {
  const filter = createHostTextFilter();
  return { shown: pieces.map((piece) => filter.pass(piece)).join(''), dropped: filter.dropped() };
}

describe('a host’s output', () => {
  it('is shown unchanged if it is text, line ends, colours and erasing of a line', () => {
    const text = `Are you sure (yes/no)? \r\n${ESC}[1;31mno${ESC}[0m${ESC}[m\tdone\b ${ESC}[2K${ESC}[94m日本 😀`;
    expect(pass(text)).toEqual({ shown: text, dropped: 0 });
  });

  it.each([
    ['the clipboard, OSC 52', `${ESC}]52;c;ZXZpbA==\u0007`],
    ['a link, OSC 8', `${ESC}]8;;https://example.com${ESC}\\`],
    ['a title', `${ESC}]0;root@web-2\u0007`],
    ['a window operation', `${ESC}[8;10;10t`],
    ['a query for the cursor', `${ESC}[6n`],
    ['a query for the device', `${ESC}[>c`],
    ['mouse reports', `${ESC}[?1000h`],
    ['the alternate screen', `${ESC}[?1049h`],
    ['a cursor move', `${ESC}[2;1H`],
    ['hidden text', `${ESC}[8m`],
    ['custom colours', `${ESC}[38;2;1;1;1m`],
    ['a background', `${ESC}[1;41m`],
    ['another character set', `${ESC}(0`],
    ['a reset', `${ESC}c`],
    ['a device string', `${ESC}P$qm${ESC}\\`],
    ['a sequence with endless parameters', `${ESC}[${'1;'.repeat(500)}m`],
    ['one byte for CSI', '\u009b'],
    ['a bell', '\u0007'],
  ])('drops and counts %s', (_name, sequence) => {
    expect(pass(`a${sequence}b`)).toEqual({ shown: 'ab', dropped: 1 });
  });

  it('drops sequences that span pieces', () => {
    expect(pass(`a${ESC}`, ']52', ';c;x', ESC, '\\b', `${ESC}[`, '1', 'mc')).toEqual({
      shown: `ab${ESC}[1mc`,
      dropped: 1,
    });
  });

  it('cannot hide the prompt after an unterminated sequence', () => {
    expect(pass(`${ESC}]0;\r\npassword: `).shown).toContain('password: ');
    expect(pass(`${ESC}]0;${'x'.repeat(10_000)}password: `).shown).toContain('password: ');
    expect(pass(`${ESC}[31\r\npassword: `).shown).toContain('\r\npassword: ');
    expect(pass(`${ESC}[31${ESC}[32mpassword: `).shown).toBe(`${ESC}[32mpassword: `);
  });

  it('shows attempts to change the text direction', () => {
    expect(pass('a\u202eb')).toEqual({ shown: 'a\\u202eb', dropped: 1 });
  });

  it.each(['\u061c', '\u200b', '\u200d', '\u200f', '\u2060', '\u2069', '\ufeff', '\u{e0041}'])(
    'shows %j, which has no width',
    (control) => {
      const { shown, dropped } = pass(`pass${control}word: `);
      expect(shown).toMatch(/^pass\\u\{?[0-9a-f]{4,5}\}?word: $/);
      expect(dropped).toBe(1);
      expect(pass(...`pass${control}word: `.split(''))).toEqual({ shown, dropped });
    },
  );

  it('passes only the few allowed sequences, whatever the input and its pieces', () => {
    const piece = fc.string({
      unit: fc.constantFrom(ESC, '[', ']', '?', ';', '8', '2', 'm', 'h', 'K', '\u0007', '\\', 'x', '\n'),
    });
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { shown } = pass(...pieces);
        const rest = shown.replaceAll(/\u001b\[[0-9;]*[mK]/g, '');
        expect(rest).not.toMatch(/[\u001b\u0007\u0080-\u009f]/);
      }),
    );
  });
});
