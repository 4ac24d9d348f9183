import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll } from 'vitest';
import { startTestS3, type TestS3 } from './s3/s3rver.fixture.ts';
import { openS3Storage } from './s3-driver.ts';
import { describeStorage } from './storage-suite.fixture.ts';

const servers: TestS3[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

describeStorage('S3', async () => {
  const server = await startTestS3('portal/');
  servers.push(server);
  const storage = openS3Storage(server.options);
  return {
    storage,
    sharesEqual: false,
    leftOvers: async () => {
      let sent = 0;
      for await (const page of storage.objects.list('portal/temporary-uploads/')) sent += page.length;
      const spooled = (await readdir(tmpdir())).filter((name) => name.startsWith(`portico-spool-${process.pid}-`));
      return sent + spooled.length;
    },
  };
});
