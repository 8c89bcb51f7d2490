import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes a brotli-compressed copy next to every text file, which the service sends to browsers. */
export function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const content = file.type === 'chunk' ? file.code : file.source;
        // The service changes the page before it sends it.
        if (file.fileName.endsWith('.html')) continue;
        this.emitFile({
          type: 'asset',
          fileName: `${file.fileName}.br`,
          source: brotliCompressSync(content),
        });
      }
    },
  };
}
