import { show } from '../errors.js';
import { EmbedError } from './embed-error.js';

/**
 * Any form in which embedders give a vector, as a copy of its own: an array of numbers, a Float32Array or
 * Float64Array, or little-endian float32 as a Buffer or in base64. Everything else, and every component that is not a
 * finite number, is refused with `embedder-bad-response`.
 */
export function toVector(value: unknown): Float32Array {
  const vector = convert(value);
  if (vector.length === 0) throw bad('an empty vector');
  const wrong = vector.findIndex((component) => !Number.isFinite(component));
  if (wrong >= 0) throw bad(`a vector whose component ${wrong} is ${vector[wrong]}`);
  return vector;
}

/** The vector at length 1, in place. A vector of zeros has no direction and is refused. */
export function toUnit(vector: Float32Array): Float32Array {
  // Summed in doubles: squares of float32 neither overflow nor vanish there.
  let sum = 0;
  for (const component of vector) sum += component * component;
  if (sum === 0) throw bad('a vector of zeros');
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! * scale;
  return vector;
}

function convert(value: unknown): Float32Array {
  if (value instanceof Float32Array || value instanceof Float64Array) return Float32Array.from(value);
  // Plain Uint8Array and Int8Array may be quantised components: only a Buffer is taken for bytes.
  if (Buffer.isBuffer(value)) return fromBytes(value);
  if (typeof value === 'string') return fromBase64(value);
  if (!Array.isArray(value)) throw bad(`${show(value)} for a vector`);
  const vector = new Float32Array(value.length);
  for (let i = 0; i < value.length; i++) {
    const component: unknown = value[i];
    if (typeof component !== 'number') throw bad(`a vector whose component ${i} is ${show(component)}`);
    vector[i] = component;
  }
  return vector;
}

function fromBase64(text: string): Float32Array {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw bad(`${show(text)} for a vector`);
  }
  return fromBytes(Buffer.from(text, 'base64'));
}

function fromBytes(bytes: Buffer): Float32Array {
  if (bytes.length % 4 !== 0) throw bad(`${bytes.length} bytes for a vector, which is no number of float32`);
  // Read one by one: the bytes may be a view into a larger buffer, at any offset.
  const vector = new Float32Array(bytes.length / 4);
  for (let i = 0; i < vector.length; i++) vector[i] = bytes.readFloatLE(i * 4);
  return vector;
}

function bad(what: string): EmbedError {
  return new EmbedError('bad-response', `The embedder gave ${what}.`);
}
