/** Variables of an S3-compatible store of files. */
import type { S3Options } from '@portico/platform/files/s3/options';
import { ConfigError, type Variable } from './variable.ts';

export const s3Variables: readonly Variable[] = [
  {
    name: 'PORTICO_S3_BUCKET',
    default: '',
    description: 'Bucket of an S3-compatible store that keeps the files; unset keeps them in the directory.',
  },
  {
    name: 'PORTICO_S3_ENDPOINT',
    default: 'that of AWS',
    description: 'Address by which this server reaches the store, without path.',
  },
  {
    name: 'PORTICO_S3_PUBLIC_ENDPOINT',
    default: 'the same',
    description: 'Address by which clients reach the store, if it differs.',
  },
  { name: 'PORTICO_S3_REGION', default: 'us-east-1', description: 'Region that requests are signed for.' },
  { name: 'PORTICO_S3_ACCESS_KEY_ID', default: '', description: 'Id of the access key of the store.', secret: true },
  { name: 'PORTICO_S3_SECRET_ACCESS_KEY', default: '', description: 'Its secret.', secret: true },
  {
    name: 'PORTICO_S3_PATH_STYLE',
    default: 'true',
    description: 'Whether the bucket is in the path of addresses; `false` puts it before the host name.',
  },
  {
    name: 'PORTICO_S3_PREFIX',
    default: '',
    description: 'Prefix of the names of all objects, ending with a slash: for a bucket that holds other data too.',
  },
];

/** @returns undefined when no bucket is named  @throws ConfigError */
export function readS3(read: (name: string) => string | undefined, pathStyle: boolean): S3Options | undefined {
  const bucket = read('PORTICO_S3_BUCKET');
  const set = s3Variables.filter(({ name }) => read(name) !== undefined);
  if (bucket === undefined) {
    if (set.length === 0) return undefined;
    throw new ConfigError(`${set[0]?.name} is set, but not PORTICO_S3_BUCKET; set the bucket, or none of them.`);
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError(`PORTICO_S3_BUCKET must be the name of a bucket, not "${bucket}".`);
  }
  const required = (name: string): string => {
    const value = read(name);
    if (value === undefined) throw new ConfigError(`${name} is missing; PORTICO_S3_BUCKET needs it.`);
    return value;
  };
  const endpoint = (name: string, fallback: string): string => {
    const address = URL.parse(read(name) ?? fallback);
    if (!address || !/^https?:$/.test(address.protocol) || address.href !== `${address.origin}/`) {
      throw new ConfigError(`${name} must be an address such as https://s3.example.org, without path.`);
    }
    return address.origin;
  };
  const region = read('PORTICO_S3_REGION') ?? 'us-east-1';
  const inner = endpoint('PORTICO_S3_ENDPOINT', `https://s3.${region}.amazonaws.com`);
  const prefix = read('PORTICO_S3_PREFIX') ?? '';
  if (prefix !== '' && !/^(?:\w[\w.-]*\/)+$/.test(prefix)) {
    throw new ConfigError(`PORTICO_S3_PREFIX must be letters and digits that end with a slash, not "${prefix}".`);
  }
  return {
    bucket,
    endpoint: inner,
    publicEndpoint: endpoint('PORTICO_S3_PUBLIC_ENDPOINT', inner),
    region,
    accessKeyId: required('PORTICO_S3_ACCESS_KEY_ID'),
    secretAccessKey: required('PORTICO_S3_SECRET_ACCESS_KEY'),
    pathStyle,
    prefix,
  };
}
