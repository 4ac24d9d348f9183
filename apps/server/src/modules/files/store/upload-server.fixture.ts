/**
 * Separate process that receives uploads until it is killed. A test starts it and passes its
 * settings.
 */

import { openDirectoryStorage } from '@portico/platform/files';
import { testSealer } from '../../../../test/support/encryption.ts';
import { startFileServer } from '../../../../test/support/file-server.ts';
import { readConfig } from '../../../process/config/config.ts';
import { createServices } from '../../../process/services.ts';

const { database, root } = JSON.parse(process.env['PORTICO_UPLOAD_FIXTURE'] ?? '{}');
const nothing = () => undefined;
const services = await createServices({
  config: readConfig({ PORTICO_DATA_DIR: root, PORTICO_DATABASE_SCOPE: process.env['PORTICO_DATABASE_SCOPE'] }),
  database,
  sealer: testSealer,
  log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
});
const { origin } = await startFileServer(services, await openDirectoryStorage(root));
process.stdout.write(`${origin}\n`);
