/** The entry of a serving process: compiled code is kept where start.mjs keeps it. */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache(
  fileURLToPath(new URL('../../../../../node_modules/.cache/portico-compiled', import.meta.url)),
);
const { serveOrders } = await import('./serving.ts');
await serveOrders();
