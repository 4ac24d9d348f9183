declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  const ece: {
    /** Decrypts a message (RFC 8188). */
    decrypt(body: Buffer, parameters: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer;
  };
  export default ece;
}
