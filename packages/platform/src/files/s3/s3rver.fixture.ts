/**
 * S3 servers for tests. By default `s3rver`, started on a loopback port: it accepts forbidden
 * requests, so refusals are not tested on it. With PORTICO_TEST_S3 (JSON: endpoint, accessKeyId,
 * secretAccessKey; see scripts/s3-server.sh) a server that is running already and keeps to
 * policies; each test has a bucket of its own there.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import type { S3Options } from './options.ts';

/** A server with an empty bucket. */
export interface TestS3 {
  readonly options: S3Options;
  /** The same as environment variables of the server. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const GIVEN = process.env['PORTICO_TEST_S3'];

/** Whether the server keeps to the policies of forms and to conditions. */
export const strictS3: boolean = GIVEN !== undefined && GIVEN !== '';

/** Starts a server, or creates a bucket in the given one. @param prefix of all keys */
export async function startTestS3(prefix = ''): Promise<TestS3> {
  const bucket = `test-${randomBytes(6).toString('hex')}`;
  const { endpoint, accessKeyId, secretAccessKey, close } = strictS3 ? await given(bucket) : await started(bucket);
  const options: S3Options = {
    endpoint,
    publicEndpoint: endpoint,
    bucket,
    region: 'us-east-1',
    accessKeyId,
    secretAccessKey,
    pathStyle: true,
    prefix,
  };
  const env = {
    PORTICO_S3_BUCKET: bucket,
    PORTICO_S3_ENDPOINT: endpoint,
    PORTICO_S3_REGION: options.region,
    PORTICO_S3_ACCESS_KEY_ID: accessKeyId,
    PORTICO_S3_SECRET_ACCESS_KEY: secretAccessKey,
    ...(prefix !== '' && { PORTICO_S3_PREFIX: prefix }),
  };
  return { options, env, close };
}

interface Started {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  close(): Promise<void>;
}

async function started(bucket: string): Promise<Started> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-s3rver-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = (await server.run()) as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    close: async () => {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function given(bucket: string): Promise<Started> {
  const store = JSON.parse(GIVEN ?? '') as Omit<Started, 'close'>;
  const client = new S3Client({
    endpoint: store.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: store,
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  // The whole server is thrown away after the tests, buckets and all.
  return { ...store, close: async () => undefined };
}
