/** The part of `s3rver` that tests use; it comes without types. */
declare module 's3rver' {
  import type { Server } from 'node:http';

  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    readonly httpServer: Server;
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
