/** A process of its own that takes uploads until it is killed. Started by a test, which hands over what it needs. */
import { readConfig } from '../../config/config.ts';
import { openDirectoryStorage } from '../../platform/files/index.ts';
import { createServices } from '../../services.ts';
import { startFileServer } from './testing.ts';

const { database, root } = JSON.parse(process.env['PORTICO_UPLOAD_FIXTURE'] ?? '{}');
const nothing = () => undefined;
const services = await createServices({
  config: readConfig({ PORTICO_DATA_DIR: root }),
  database,
  log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
});
const { origin } = await startFileServer(services, await openDirectoryStorage(root));
process.stdout.write(`${origin}\n`);
