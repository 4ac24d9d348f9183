/**
 * Configuration of an S3-compatible store; a separate file, so that the configuration loads no
 * client of such stores.
 */

/**
 * Maximum size in bytes that a store accepts by one form, by one request, and copies by one
 * request.
 */
export const S3_MAX_BYTES: number = 5 * 1024 ** 3;

/** An S3-compatible store, as an operator names it. */
export interface S3Options {
  /** Address by which the server reaches the store, without path. */
  readonly endpoint: string;
  /** Address by which clients reach it: links and forms are made for this one. */
  readonly publicEndpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket is in the path; else it is part of the host name. */
  readonly pathStyle: boolean;
  /** Prefix of every key: empty, or ending with a slash. */
  readonly prefix: string;
}
