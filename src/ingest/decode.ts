import { isUtf8 } from 'node:buffer';

/** How a file's bytes were read. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'declared';

/** The text of a file without its byte order mark and with its newlines as they are, or why it has none. */
export type Decoded =
  | { text: string; encoding: TextEncoding }
  | { skip: 'empty' | 'binary' | 'encoding'; detail?: string };

/** How many bytes are looked at for signs of binary data. */
const SNIFF_BYTES = 8192;

/**
 * Turns the bytes of a file into text: by byte order mark, else UTF-16 that gives itself away by its zero bytes,
 * else UTF-8, else as the file itself declares (`charset`), else Windows-1252 where the result looks like text. Newlines stay as they are.
 */
export function decode(bytes: Uint8Array, charset?: string): Decoded {
  const decoded = decodeBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), charset);
  return 'text' in decoded && decoded.text.trim() === '' ? { skip: 'empty' } : decoded;
}

function decodeBytes(bytes: Buffer, charset: string | undefined): Decoded {
  if (bytes.length === 0) return { skip: 'empty' };
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff)) {
    return { skip: 'encoding', detail: 'UTF-32 is not supported' };
  }
  if (startsWith(bytes, 0xff, 0xfe))
    return { text: utf16(bytes.subarray(2), 'utf-16le'), encoding: 'utf-16le' };
  if (startsWith(bytes, 0xfe, 0xff))
    return { text: utf16(bytes.subarray(2), 'utf-16be'), encoding: 'utf-16be' };
  const body = startsWith(bytes, 0xef, 0xbb, 0xbf) ? bytes.subarray(3) : bytes;
  if (body.subarray(0, SNIFF_BYTES).includes(0)) {
    const encoding = zeroPattern(body);
    const text = encoding === null ? null : utf16Strict(body, encoding);
    return encoding === null || text === null ? { skip: 'binary' } : { text, encoding };
  }
  // ISO-2022 is ASCII byte by byte; any other text that is UTF-8 is so whatever it declares.
  if (charset !== undefined && (!isUtf8(body) || /^iso-2022-/i.test(charset))) {
    const text = asDeclared(body, charset);
    if (text !== null) return { text, encoding: 'declared' };
  }
  if (isUtf8(body)) return { text: body.toString('utf8'), encoding: 'utf-8' };
  return brokenUtf8(body) ?? windows1252(body);
}

/** The text in the encoding of that name; null when there is no such encoding, or the bytes are not in it. */
function asDeclared(bytes: Buffer, charset: string): string | null {
  try {
    const text = new TextDecoder(charset, { ignoreBOM: true }).decode(bytes);
    return CONTROL.test(text) ? null : text;
  } catch {
    return null;
  }
}

function startsWith(bytes: Buffer, ...mark: number[]): boolean {
  return bytes.length >= mark.length && mark.every((byte, i) => bytes[i] === byte);
}

function utf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

function utf16Strict(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\u0000') || CONTROL.test(text.slice(0, SNIFF_BYTES)) ? null : text;
  } catch {
    return null;
  }
}

/** Western text in UTF-16 has a zero in nearly every second byte and nowhere else. */
function zeroPattern(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length % 2 !== 0) return null;
  const sample = bytes.subarray(0, SNIFF_BYTES);
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) i % 2 === 0 ? even++ : odd++;
  const most = 0.8 * (sample.length / 2);
  if (odd >= most && even === 0) return 'utf-16le';
  return even >= most && odd === 0 ? 'utf-16be' : null;
}

/** Characters that no text has: controls other than tab, newlines, form feed and escape. */
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;

/** UTF-8 in which a few bytes are damaged: most of what is not ASCII decodes. */
function brokenUtf8(bytes: Buffer): Decoded | null {
  const text = bytes.toString('utf8');
  let whole = 0;
  let damaged = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) damaged++;
    else if (code > 0x7f) whole++;
  }
  return whole > 4 * damaged && !CONTROL.test(text) ? { text, encoding: 'utf-8' } : null;
}

/** Bytes 0x80 to 0x9F of Windows-1252; an empty string where it has no character. */
const C1: readonly string[] = [
  ...['€', '', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '', 'Ž', ''],
  ...['', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '', 'ž', 'Ÿ'],
];

/** Share of bytes above ASCII beyond which a text is rather of another alphabet than of a western language. */
const MAX_HIGH = 0.3;

function windows1252(bytes: Buffer): Decoded {
  const raw = bytes.toString('latin1');
  if (CONTROL.test(raw) || /[\u0081\u008d\u008f\u0090\u009d]/.test(raw)) return { skip: 'binary' };
  const high = bytes.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0);
  if (high > MAX_HIGH * bytes.length) {
    return { skip: 'encoding', detail: 'neither UTF-8 nor UTF-16, nor western text' };
  }
  const text = raw.replace(/[\u0080-\u009f]/g, (char) => C1[char.charCodeAt(0) - 0x80] ?? '');
  return { text, encoding: 'windows-1252' };
}
