import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { slimContract } from '../../scripts/slim-contract.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * Modules that most pages share are in few files: many small ones compress worse. `npm run web:size`
 * shows the effect.
 */
const groups = [
  { name: 'frame', test: /node_modules.(@tanstack|react|react-dom|scheduler|use-sync)/ },
  // Colours and words of the audit log are for screens of the administration only.
  {
    name: 'library',
    test: /packages.(sdk|contract(?!.src.(accent|audit-words)))|src.portal/,
    minShareCount: 6,
  },
  {
    name: 'lists',
    test: /src.communities.(filter-|views|use-posts|column-widths|columns|steps|option)|src.write.option-search/,
    minShareCount: 2,
  },
  // What addresses hold: the router reads all of it, whatever the page.
  {
    name: 'addresses',
    test: /src.([a-z]+.)+[a-z]+-search\.ts|src.search.search-address|src.sign-in.one-time-link/,
    minShareCount: 2,
  },
  {
    name: 'shell',
    test: /src.posts.(user-name|state-hue|state-label)|src.shell.(colour|avatar|position-popup|popup|use-dialog|dialog)\.|src.texts.(plurals|numbers)|src.write.new-post\.ts/,
    minShareCount: 3,
  },
  { name: 'icons', test: /lucide-react/, minShareCount: 3 },
  {
    name: 'content',
    test: /src.content|src.failures.(boundary|part|attempt)|src.(placeholders|shared-queries|use-title)|src.write.(notices|dialog|popup|use-dialog)/,
    minShareCount: 4,
  },
];

export default defineConfig({
  base: '/portal/',
  plugins: [slimContract, react()],
  // The client library has an entry for browsers beside the one for Node.js.
  resolve: { conditions: ['module', 'browser', 'default'] },
  build: {
    emptyOutDir: true,
    rolldownOptions: {
      input: { index: `${here}index.html`, sw: `${here}src/service-worker.ts` },
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups },
        // The address of a service worker does not change.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
    // Records the files of each page; `size.ts` reads it.
    manifest: true,
    target: 'es2022',
    // Browsers that know `light-dark()`: for older ones the build would write a form that needs a
    // rule of Portico for the colour scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Every asset is a file: the content security policy forbids data URLs for scripts and styles.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
  },
});
