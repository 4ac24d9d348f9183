/**
 * Policy of an upload: the permissions of its form, signed with the tenant's secret, so that the
 * storage route needs no sign-in. It names one content, is valid for two hours, and holds the
 * maximum size.
 */
import { createHash } from 'node:crypto';
import type { TenantContext, TenantScope } from '../../../kernel/scope.ts';

/** Lifetime of a policy. Milliseconds. */
export const POLICY_LIFETIME_MS = 2 * 3_600_000;
/** Path of uploads. */
export const UPLOAD_PATH = '/portal/storage/upload';

const SIGNATURE_KIND = 'upload';
const KEY_PREFIX = 'temporary-uploads/';

/** Permissions of a policy. */
export interface UploadPolicy {
  readonly contentRef: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Maximum size. Bytes. */
  readonly maxBytes: number;
}

/** Document in the field `policy`, in the format of S3. */
interface PolicyDocument {
  expiration: string;
  conditions: [['eq', '$key', string], ['content-length-range', 0, number]];
}

/** Returns the form fields of an upload for `uploadMultipartRequestBodyParams`. */
export function uploadParams(scope: TenantContext, policy: UploadPolicy): Record<string, string> {
  const key = `${KEY_PREFIX}${policy.contentRef}`;
  const document: PolicyDocument = {
    expiration: new Date(policy.expiresAt).toISOString(),
    conditions: [
      ['eq', '$key', key],
      ['content-length-range', 0, policy.maxBytes],
    ],
  };
  const encoded = Buffer.from(JSON.stringify(document)).toString('base64');
  const signature = scope.settings.links.sign(SIGNATURE_KIND, { t: scope.tenant.id, p: digest(encoded) });
  return { key, policy: encoded, signature };
}

/**
 * Reads the form fields of an upload.
 * @returns undefined when they were altered, belong to another tenant or have expired
 */
export function readUploadParams(scope: TenantScope, fields: ReadonlyMap<string, string>): UploadPolicy | undefined {
  const encoded = fields.get('policy');
  const signed = scope.settings.links.verify<{ t: number; p: string }>(SIGNATURE_KIND, fields.get('signature'));
  if (encoded === undefined || !signed || signed.t !== scope.tenant.id || signed.p !== digest(encoded))
    return undefined;
  // Once the signature is verified, the document is the one that uploadParams wrote.
  const document = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')) as PolicyDocument;
  const [[, , key], [, , maxBytes]] = document.conditions;
  const expiresAt = Date.parse(document.expiration);
  if (fields.get('key') !== key || expiresAt <= scope.clock.now()) return undefined;
  return { contentRef: key.slice(KEY_PREFIX.length), expiresAt, maxBytes };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
