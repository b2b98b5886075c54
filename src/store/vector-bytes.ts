const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Float32, little-endian. */
export function toBytes(vector: Float32Array): Buffer {
  if (LITTLE_ENDIAN) return Buffer.from(new Float32Array(vector).buffer);
  const bytes = Buffer.alloc(vector.length * 4);
  for (let i = 0; i < vector.length; i++) bytes.writeFloatLE(vector[i]!, i * 4);
  return bytes;
}

/** A copy, since the bytes of a row may not be aligned. */
export function fromBytes(bytes: Uint8Array): Float32Array {
  if (LITTLE_ENDIAN) {
    const vector = new Float32Array(Math.floor(bytes.byteLength / 4));
    new Uint8Array(vector.buffer).set(bytes.subarray(0, vector.byteLength));
    return vector;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, i) =>
    view.getFloat32(i * 4, true),
  );
}
