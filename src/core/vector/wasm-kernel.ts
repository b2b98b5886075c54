import { kernelBytes } from './kernel-bytes.js';
import type { ScanKernel } from './scan-kernel.js';

const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;

/** The kernel of `assembly/scan.ts` with a memory of its own; null where WebAssembly or its SIMD is missing. */
export function wasmKernel(): ScanKernel | null {
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
    const module = new WebAssembly.Module(Buffer.from(kernelBytes, 'base64'));
    const { exports } = new WebAssembly.Instance(module, {
      env: {
        memory,
        abort: () => {
          throw new Error('The vector kernel failed.');
        },
      },
    });
    const kernel = exports as unknown as Omit<ScanKernel, 'name' | 'buffer' | 'reserve'>;
    return {
      ...kernel,
      name: 'wasm',
      get buffer() {
        return memory.buffer;
      },
      reserve(bytes) {
        const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
        if (missing > 0) memory.grow(missing);
      },
    };
  } catch {
    return null;
  }
}
