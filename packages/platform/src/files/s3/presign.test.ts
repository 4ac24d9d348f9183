import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { presignGet } from './presign.ts';

describe('signed links to objects', () => {
  it('signs the example of the specification as the specification does', () => {
    // Signature Version 4, "Authenticating Requests: Using Query Parameters".
    const link = presignGet(
      {
        endpoint: 'https://s3.amazonaws.com',
        bucket: 'examplebucket',
        region: 'us-east-1',
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        pathStyle: false,
      },
      'test.txt',
      {},
      { now: Date.parse('2013-05-24T00:00:00Z'), seconds: 86_400 },
    );
    expect(link).toContain('https://examplebucket.s3.amazonaws.com/test.txt?');
    expect(link).toContain('X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request');
    expect(new URL(link).searchParams.get('X-Amz-Signature')).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });

  it('signs as the library of the store does, with the bucket in the path or before the host', async () => {
    for (const pathStyle of [true, false]) {
      const place = {
        endpoint: 'http://store.example:9000',
        bucket: 'files',
        region: 'eu-south-1',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
        pathStyle,
      };
      const client = new S3Client({
        endpoint: place.endpoint,
        region: place.region,
        forcePathStyle: pathStyle,
        credentials: place,
        responseChecksumValidation: 'WHEN_REQUIRED',
      });
      const now = Date.parse('2026-10-01T12:34:56Z');
      const disposition = `attachment; filename="Perch_.txt"; filename*=UTF-8''Perch%C3%A9%20(1)%2A.txt`;
      const theirs = await getSignedUrl(
        client,
        new GetObjectCommand({ Bucket: place.bucket, Key: 'a b/c(1)*é.txt', ResponseContentDisposition: disposition }),
        { expiresIn: 900, signingDate: new Date(now) },
      );
      // The library signs two parameters of its own; given the same ones, the links are the same.
      const url = new URL(theirs);
      const own = Object.fromEntries(
        [...url.searchParams].filter(([name]) => !/^X-Amz-/.test(name) || name === 'X-Amz-Content-Sha256'),
      );
      expect(own['response-content-disposition']).toBe(disposition);
      const ours = new URL(presignGet(place, 'a b/c(1)*é.txt', own, { now, seconds: 900 }));
      expect(ours.origin + ours.pathname).toBe(url.origin + url.pathname);
      expect(Object.fromEntries(ours.searchParams)).toEqual(Object.fromEntries(url.searchParams));
      client.destroy();
    }
  });
});
