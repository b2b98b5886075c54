import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halve } from './halve.js';

const words = 'the kiln is hot ';

describe('halve', () => {
  it('parts at the empty line nearest to the middle, before any other border', () => {
    const first = `${words.repeat(7)}\nand a line. More`;
    const second = `${words.repeat(8)}end`;
    expect(halve(`${first}\n\n${second}`)).toEqual([first, second.trim()]);
  });

  it('parts at a line, then at a sentence, then at white space', () => {
    expect(halve(`${words.repeat(4)}One. Two\nthree ${words.repeat(4)}`)?.[1]).toMatch(/^three/);
    expect(halve(`${words.repeat(4)}One. Two ${words.repeat(4)}`)?.[1]).toMatch(/^Two/);
    expect(halve(words.repeat(4))).toEqual([words.repeat(2).trim(), words.repeat(2).trim()]);
  });

  it('a border near an end is none: both sides get at least a quarter', () => {
    const text = `# Title\n\n${'#'.repeat(3000)}`;
    const [first, second] = halve(text)!;
    expect(Math.min(first.length, second.length)).toBeGreaterThan(text.length / 4 - 2);
  });

  it('does not part a surrogate pair', () => {
    for (const lead of ['', 'x']) {
      const halves = halve(lead + '🏺'.repeat(101))!;
      expect(halves.every((half) => half.isWellFormed())).toBe(true);
    }
  });

  it('gives nothing for a short text', () => {
    expect(halve('the kiln is hot')).toBeNull();
    expect(halve(' '.repeat(500))).toBeNull();
  });

  it('keeps every character but white space, and makes both halves shorter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('kiln', ' ', '\n', '\n\n', '. ', '。', '🏺', '{}', 'x'), { maxLength: 200 }),
        (parts) => {
          const text = parts.join('');
          const halves = halve(text);
          if (halves === null) return;
          expect(halves.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
          for (const half of halves) expect(half.length).toBeLessThan(text.length);
        },
      ),
    );
  });
});
