/**
 * Links to objects, signed for their holders (AWS Signature Version 4 in the query). Made here and not by the client's
 * library, since answers carry hundreds of links and are put together without waiting: this takes microseconds.
 */
import { createHash, createHmac } from 'node:crypto';

/** Where objects are, and who signs for them. */
interface SigningPlace {
  /** Address of the store without path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket is in the path, not before the host name. */
  readonly pathStyle: boolean;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * A link that reads an object.
 * @param query parameters that belong to the request, `response-content-type` for instance; they are signed as well
 * @param at `now`: epoch milliseconds; `seconds`: how long the link is good for
 */
export function presignGet(
  place: SigningPlace,
  key: string,
  query: Readonly<Record<string, string>>,
  at: { now: number; seconds: number },
): string {
  const time = new Date(at.now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${place.region}/s3/aws4_request`;
  const { protocol, host } = new URL(place.endpoint);
  const address = place.pathStyle ? host : `${place.bucket}.${host}`;
  const path = `/${place.pathStyle ? `${encode(place.bucket)}/` : ''}${key.split('/').map(encode).join('/')}`;
  const parameters: Record<string, string> = {
    ...query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${place.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(at.seconds),
    'X-Amz-SignedHeaders': 'host',
  };
  // In the order of their bytes, as the signature asks for.
  const canonicalQuery = Object.entries(parameters)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const request = ['GET', path, canonicalQuery, `host:${address}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const text = [ALGORITHM, time, scope, createHash('sha256').update(request).digest('hex')].join('\n');
  const signature = createHmac('sha256', signingKey(place, day)).update(text).digest('hex');
  return `${protocol}//${address}${path}?${canonicalQuery}&X-Amz-Signature=${signature}`;
}

function signingKey(place: SigningPlace, day: string): Buffer {
  const step = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  return step(step(step(step(`AWS4${place.secretAccessKey}`, day), place.region), 's3'), 'aws4_request');
}

/** Percent-encodes all but unreserved characters (RFC 3986). */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
