/** Exports common to both entries. */
export type * from '@portico/contract';
export {
  AttachmentEntityType,
  AttachmentType,
  errorCodes,
  FieldType,
  FilterType,
  fieldTypes,
  HistoryType,
  languages,
  methodTable,
  PostType,
  SubTaskState,
  TaskPriority,
  TaskState,
  TextFormat,
  timeZoneNames,
  ValidationType,
  Visibility,
} from '@portico/contract';
export type { ClientOptions, Platform } from './client.ts';
export { PorticoCoreClient } from './client.ts';
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
  UploadError,
  ValidationError,
} from './errors.ts';
export type { FileSource, Files, UploadedFile, UploadOptions, UploadProgress } from './files.ts';
export { resolveFilters } from './filters.ts';
export type { LiveEvent, LiveOptions } from './live.ts';
export {
  type Condition,
  type ExportOptions,
  type Input,
  type IterateInput,
  iteratorName,
  type MethodDomain,
  type NamedFilters,
  type Operand,
  type Output,
  splitInput,
  type Where,
} from './methods.ts';
export { findNamed, nearest, unknownName } from './names.ts';
export type { FollowOptions, StreamFollower } from './stream.ts';
export { type CachedToken, MemoryTokenCache, type TokenCache } from './token-cache.ts';
export {
  type Answer,
  type Fetch,
  type Hooks,
  normaliseBaseUrl,
  type RequestEvent,
  type RequestOptions,
  type ResponseEvent,
  type RetryEvent,
} from './transport.ts';
export { visibleName } from './visible-name.ts';
