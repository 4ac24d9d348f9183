import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { slimContract } from '../../scripts/slim-contract.ts';

export default defineConfig({
  base: '/portal/',
  plugins: [slimContract, react()],
  // The client library has an entry for browsers beside the one for Node.js.
  resolve: { conditions: ['module', 'browser', 'default'] },
  build: {
    emptyOutDir: true,
    // What each page loads; `size.ts` reads it.
    manifest: true,
    target: 'es2022',
    // Browsers that know `light-dark()`: older ones would get a form of it that needs a rule of ours for the colour scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Everything is a file of its own: the content security policy allows no data in place of scripts and styles.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
  },
});
