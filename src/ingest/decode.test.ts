import { describe, expect, it } from 'vitest';
import { decode } from './decode.js';

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('decode', () => {
  it('reads by byte order mark, removes it and keeps newlines', () => {
    const text = 'Glasur für Öfen\r\n灰釉\r';
    expect(decode(Buffer.from(text))).toEqual({ text, encoding: 'utf-8' });
    expect(decode(Buffer.from(`\ufeff${text}`))).toEqual({ text, encoding: 'utf-8' });
    expect(decode(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual({ text, encoding: 'utf-16le' });
    expect(decode(utf16be(`\ufeff${text}`))).toEqual({ text, encoding: 'utf-16be' });
  });

  it('knows UTF-16 without a mark by its zero bytes', () => {
    const text = 'The kiln cools “slowly”.\n'.repeat(4);
    expect(decode(Buffer.from(text, 'utf16le'))).toEqual({ text, encoding: 'utf-16le' });
    expect(decode(utf16be(text))).toEqual({ text, encoding: 'utf-16be' });
  });

  it('reads western text that is no UTF-8 as Windows-1252', () => {
    const bytes = Buffer.from([
      0x93, 0x63, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x80, 0x20, 0x6f, 0x6b, 0x61, 0x79, 0x2e,
    ]);
    expect(decode(bytes)).toEqual({ text: '“café” € okay.', encoding: 'windows-1252' });
  });

  it('keeps UTF-8 with a damaged byte as UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('灰釉と鉄釉の焼成'), Buffer.from([0xff]), Buffer.from(' ok')]);
    expect(decode(bytes)).toEqual({ text: '灰釉と鉄釉の焼成\ufffd ok', encoding: 'utf-8' });
  });

  it('takes binary data, other alphabets in one byte, UTF-32 and nothing at all for what they are', () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48]);
    expect(decode(png)).toEqual({ skip: 'binary' });
    expect(decode(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x10, 0x4a, 0x46]))).toEqual({ skip: 'binary' });
    expect(decode(Buffer.from([0xef, 0xe5, 0xf7, 0xfc, 0x20, 0xe3, 0xeb, 0xe8, 0xed, 0xe0]))).toMatchObject({
      skip: 'encoding',
    });
    expect(decode(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).toMatchObject({ skip: 'encoding' });
    expect(decode(Buffer.alloc(0))).toEqual({ skip: 'empty' });
    expect(decode(Buffer.from('\ufeff \n'))).toEqual({ skip: 'empty' });
  });
});
