/** Exports common to both entries. */
export {
  AttachmentEntityType,
  AttachmentType,
  auditActions,
  auditObjects,
  errorCodes,
  FieldType,
  FilterType,
  fieldTypes,
  HistoryType,
  languages,
  PostType,
  SubTaskState,
  TaskPriority,
  TaskState,
  TextFormat,
  timeZoneNames,
  ValidationType,
  Visibility,
} from '@portico/contract';
export { methodTable } from './api.ts';
export { PorticoCoreClient } from './client.ts';
export type { ClientOptions, Platform } from './client-options.ts';
export { CommunityClient, type CommunityTypes, type PostOf } from './community-client.ts';
export {
  type ClientCredentials,
  type Credentials,
  defaultAudience,
  readServiceAccountKey,
  type ServiceAccountKey,
} from './credentials.ts';
export { bigIntOf, type NamedValues, resolveValues, writableValues } from './custom-data.ts';
export {
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  type FieldConflict,
  type FieldError,
  type FieldFault,
  NetworkError,
  NotFoundError,
  PermissionError,
  PorticoClientError,
  RateLimitedError,
  ResponseError,
  ServerError,
  TimeoutError,
  UnknownNameError,
  UpdateConflictError,
  UploadError,
  ValidationError,
} from './errors.ts';
export type { FileSource, Files, UploadedFile, UploadOptions, UploadProgress } from './files.ts';
export { resolveFilters } from './filters.ts';
export type {
  Condition,
  ExportOptions,
  FieldInput,
  FieldValuesInput,
  NamedFilters,
  NoInput,
  Operand,
  Where,
} from './inputs.ts';
export type { LiveEvent, LiveOptions } from './live.ts';
export type * from './methods.generated.ts';
export {
  type Input,
  type IterateInput,
  iteratorName,
  type MethodDomain,
  type Output,
  splitInput,
} from './methods.ts';
export { findNamed, fold, type Named, nearest, requireNamed, unknownName } from './names.ts';
export type { RateLimit } from './rate-limit.ts';
export type { ListPromise, ResponsePromise, ResponseWith, Written } from './response-promise.ts';
export type { FollowOptions, StreamFollower } from './stream.ts';
export { type CachedToken, MemoryTokenCache, type TokenCache } from './token-cache.ts';
export {
  type Answer,
  type Fetch,
  type Hooks,
  normaliseBaseUrl,
  type RawResponse,
  type RequestEvent,
  type RequestOptions,
  type ResponseEvent,
  type RetryEvent,
} from './transport.ts';
export type * from './types.generated.ts';
export type { PostChanges } from './update-post.ts';
export { version } from './version.ts';
export { visibleName } from './visible-name.ts';
export {
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookOptions,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';
