/**
 * The closed list of error codes. Each error answer is a JSON object with at least `code`,
 * `message` and `requestId`, and beside them `type`, `title`, `status` and `detail` of RFC 9457. A
 * 400 of validation has `validationErrors.list[]` in addition, whose elements take their `code`
 * from this list too.
 */

/** Default answer for a code. */
export interface ErrorDefinition {
  /** HTTP status of an answer with this main code. */
  readonly status: number;
  /** Short name of the kind of problem (RFC 9457 `title`). */
  readonly title: string;
  /** Default English text; tells the caller how to proceed. */
  readonly message: string;
}

/** Gives several codes the same status. */
const withStatus = <const T extends Record<string, Omit<ErrorDefinition, 'status'>>>(status: number, codes: T) =>
  Object.fromEntries(Object.entries(codes).map(([code, texts]) => [code, { status, ...texts }])) as {
    readonly [K in keyof T]: T[K] & { readonly status: number };
  };

const define = <const T extends Record<string, ErrorDefinition>>(codes: T): T => codes;

/** Status, title and default message by error code. */
export const errorCodes = define({
  // 400: the request itself is wrong
  ...withStatus(400, {
    VALIDATION_FAILED: {
      title: 'Validation failed',
      message: 'Some values are not acceptable; see validationErrors for each of them.',
    },
    REQUIRED_FIELD: { title: 'Value missing', message: 'This field is required; send a value.' },
    INVALID_VALUE: {
      title: 'Value not allowed',
      message: 'This value is not allowed here; send one of the allowed values.',
    },
    INVALID_TYPE: {
      title: 'Wrong type',
      message: 'This field has another JSON type; send the type that the interface declares.',
    },
    INVALID_DOMAIN: {
      title: 'Domain not allowed',
      message:
        'This address is outside the domains of the tenant; use one of its domains or ask its administrator to add it.',
    },
    INTEGER_OUT_OF_RANGE: {
      title: 'Number out of range',
      message: 'This integer is outside its range; identifiers and timestamps lie within ±(2^53 − 1).',
    },
    INVALID_TEXT: {
      title: 'Text not storable',
      message: 'The text holds a NUL character or half of a surrogate pair; remove it.',
    },
    TEXT_TOO_LONG: {
      title: 'Text too long',
      message: 'The text is longer than this field takes; shorten it. Lengths are counted in code points.',
    },
    TOO_MANY_ITEMS: {
      title: 'List too long',
      message: 'The list has more items than are taken at once; send it in parts.',
    },
    INVALID_DELTA: {
      title: 'Rich text not readable',
      message:
        'The rich text is not a Quill delta; send the array of operations as a JSON string, or plain text with format 2.',
    },
    INVALID_DATE: {
      title: 'Date not readable',
      message: 'The date cannot be read or lies outside the years 1 to 9999; send epoch milliseconds or ISO 8601.',
    },
    INVALID_TIME_ZONE: {
      title: 'Unknown time zone',
      message: 'The time zone is unknown; send an IANA name such as Europe/Rome.',
    },
    MAPPING_REQUIRED: {
      title: 'Decision needed',
      message: 'Objects hold what this change takes away; say what becomes of them.',
    },
    UNKNOWN_REFERENCE: {
      title: 'Unknown reference',
      message: 'No object with this id can be used here; send the id of one that exists and that you may see.',
    },
    NOT_EXISTS: {
      title: 'Does not exist',
      message: 'One of the objects asked for does not exist or is out of use; leave its id out.',
    },
    DUPLICATE_VALUE: {
      title: 'Value already taken',
      message: 'Another object has this value already; choose another one.',
    },
    READ_ONLY_FIELD: {
      title: 'Field is read-only',
      message: 'This field cannot be written; leave it out or send its present value.',
    },
    UNRECOGNIZED_FIELD: {
      title: 'Unknown field',
      message: 'The request has no field of this name; correct the name or leave it out.',
    },
    UNKNOWN_FIELD: {
      title: 'Unknown custom field',
      message: 'The community has no custom field with this id; take the ids from its post definition.',
    },
    MALFORMED_JSON: {
      title: 'Body not readable',
      message: 'The body is not valid JSON; correct it and send it again.',
    },
    MALFORMED_REQUEST: {
      title: 'Request not readable',
      message: 'The request is not valid HTTP, or did not arrive in whole; correct it and send it again.',
    },
    PAGE_TOKEN_INVALID: {
      title: 'Page token not valid',
      message: 'The page token is not one of this list; start again without pageToken.',
    },
    PAGE_TOKEN_FILTERS_CHANGED: {
      title: 'Filters changed between pages',
      message:
        'The page token belongs to other filters, another order or another caller; send those of the first page or start again without pageToken.',
    },
    SYNC_TOKEN_INVALID: {
      title: 'Sync token not valid',
      message: 'The sync token is not one of this stream; start afresh without syncToken.',
    },
    SYNC_TOKEN_TOO_OLD: {
      title: 'Sync token too old',
      message: 'The sync token is older than the changes that are kept; start afresh without syncToken.',
    },
    FIELD_NOT_SEARCHABLE: {
      title: 'Field cannot be filtered by',
      message: 'This field cannot be filtered by; use one of the searchable fields.',
    },
    FIELD_NOT_SORTABLE: {
      title: 'Field cannot be ordered by',
      message: 'This field cannot be ordered by; use one of the sortable fields.',
    },
    OPERATOR_NOT_ALLOWED: {
      title: 'Operator does not fit the field',
      message: 'This operator cannot be used on a field of this type; use one of the operators listed.',
    },
    UNKNOWN_ORDER: {
      title: 'Unknown order',
      message: 'The list cannot be ordered by this; use one of the orders listed.',
    },
    ATTACHMENT_TOO_LARGE: {
      title: 'File too large for the community',
      message: 'The file is larger than this community allows; attach a smaller one.',
    },
    QUOTA_EXCEEDED: {
      title: 'Storage used up',
      message: 'The tenant has no room left for this file; remove files or ask the operator for more room.',
    },
    CONTENT_REF_INVALID: {
      title: 'Upload not usable',
      message: 'The contentRef is unknown, expired, used up or of another user; upload the file again.',
    },
    CUSTOM_VALIDATION: {
      title: 'Rule of the field broken',
      message: 'The value breaks a rule of this custom field; see validationTypeId and args.',
    },
  }),
  // 401 and 403: the caller
  ...withStatus(401, {
    UNAUTHENTICATED: {
      title: 'Not signed in',
      message: 'The request carries no access token; send Authorization: Bearer followed by a token.',
    },
    INVALID_AUTH_TOKEN: {
      title: 'Access token not valid',
      message: 'The access token is invalid, expired or revoked; sign in again.',
    },
    INVALID_ASSERTION: {
      title: 'Sign-in refused',
      message: 'The assertion was refused; check key, audience, times and that its jti is new.',
    },
    INVALID_CREDENTIALS: {
      title: 'Sign-in refused',
      message: 'User name or password is wrong, or the account may not sign in with a password.',
    },
    SECOND_FACTOR_REQUIRED: {
      title: 'Second factor required',
      message:
        'A second factor is required. Send with the password secondFactorCode, a code of the authenticator app or a recovery code, or secondFactorPasskey.',
    },
    INVALID_PROVIDER_TOKEN: {
      title: 'Sign-in refused',
      message:
        'The identity provider token was refused or its identity is not linked to a user; ask an administrator to link it.',
    },
  }),
  ...withStatus(403, {
    FORBIDDEN: { title: 'Not permitted', message: 'You may not do this; ask an administrator for the permission.' },
    TENANT_DISABLED: {
      title: 'Portal disabled',
      message: 'The operator has disabled this portal; nobody can use it until the operator enables it.',
    },
    COMMUNITY_ARCHIVED: {
      title: 'Community archived',
      message: 'The community is archived: it can be read, and written to again once an administrator restores it.',
    },
    WORKSPACE_ARCHIVED: {
      title: 'Workspace archived',
      message: 'The workspace is archived: it can be read, and changed again once an administrator restores it.',
    },
    CROSS_SITE_REQUEST: {
      title: 'Request from another site',
      message:
        'A session is accepted from pages of the portal itself; programs send an access token in the header Authorization.',
    },
    SECOND_FACTOR_SETUP_REQUIRED: {
      title: 'Second factor to be set up',
      message:
        'Your organisation requires a second factor of you. Set up an authenticator app (startTotp) or a passkey (startPasskey); until then nothing else is permitted.',
    },
    SECOND_FACTOR_CONFIRMATION_REQUIRED: {
      title: 'Second factor required',
      message:
        'Your organisation requires a second factor of you. Confirm this session by a code or a passkey (confirmSession), or sign in with a password and a code, or by a passkey.',
    },
    PERSONAL_TOKEN_READ_ONLY: {
      title: 'Token reads only',
      message: 'This personal access token only reads; create one with access `write`.',
    },
    PERSONAL_TOKEN_NOT_ACCEPTED: {
      title: 'Token not accepted here',
      message: 'A personal access token cannot change how its holder signs in; sign in instead.',
    },
    WORKFLOW_OPERATION_NOT_PERMITTED: {
      title: 'Transition not permitted',
      message:
        'The transition cannot be run by you from the present state; read the capabilities of the post for those that can.',
    },
    INVALID_LINK: {
      title: 'Link not valid',
      message: 'The link was altered, has expired or belongs elsewhere; read the object again for a new one.',
    },
  }),
  // 404, 405: the requested object
  ...withStatus(404, {
    NOT_FOUND: { title: 'Not found', message: 'There is no such object, or you may not see it.' },
    UNKNOWN_TENANT: { title: 'Unknown address', message: 'No tenant answers at this host; check the base address.' },
    UNKNOWN_ROUTE: { title: 'Unknown path', message: 'No operation has this path; see /portal/api/openapi.json.' },
  }),
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Wrong method',
    message: 'The path does not take this method; use one of those in the Allow header.',
  },
  // 408: the body did not arrive
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request too slow',
    message: 'The request did not arrive in time; send it again.',
  },
  // 409: another request came first
  ...withStatus(409, {
    CONFLICT_STALE_TOKEN: {
      title: 'Changed by somebody else',
      message: 'The object was changed since you read it; read it again, repeat your change and send the new token.',
    },
    DUPLICATE_CLIENT_UID: {
      title: 'clientUid already used',
      message: 'This clientUid is taken by another object; use a new one.',
    },
    IDEMPOTENCY_IN_PROGRESS: {
      title: 'Same request still running',
      message: 'A request with this Idempotency-Key is still running; wait and send it again.',
    },
    CONFLICT: {
      title: 'Conflict',
      message: 'The request contradicts the present state; read the object again and repeat.',
    },
  }),
  // 413 and others: the form of the request
  ...withStatus(413, {
    BODY_TOO_LARGE: {
      title: 'Body too large',
      message: 'The body is too large. Send at most 1 MiB, and 256 KiB to an operation that needs no sign-in.',
    },
    UPLOAD_TOO_LARGE: {
      title: 'Upload too large',
      message: 'The file is larger than the upload allows; send a smaller one.',
    },
  }),
  STORAGE_FULL: {
    status: 507,
    title: 'No room for files',
    message: 'The server has no room left for this; nothing was written. Try again later, or tell its operator.',
  },
  URI_TOO_LONG: {
    status: 414,
    title: 'Address too long',
    message: 'The address of the request is too long; shorten it.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Media type not supported',
    message: 'Bodies are JSON; send Content-Type: application/json.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'Range outside the file',
    message: 'The range lies outside the file; see Content-Range for its size.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency-Key reused',
    message: 'This Idempotency-Key was used with another request; use a new key.',
  },
  ...withStatus(429, {
    RATE_LIMITED: { title: 'Too many requests', message: 'Too many requests; wait for the seconds in Retry-After.' },
    TOO_MANY_LISTENERS: {
      title: 'Too many live connections',
      message: 'Too many live connections; close others, or wait for the seconds in Retry-After.',
    },
    TOO_MANY_AT_ONCE: {
      title: 'Too much at once',
      message: 'Too many long requests are running; wait until one has ended, or for the seconds in Retry-After.',
    },
    TOO_MANY_UPLOADS: {
      title: 'Too many uploads without use',
      message:
        'You have begun too many uploads that nothing refers to; use their contentRef, or wait until they are removed after a day.',
    },
  }),
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Headers too large',
    message: 'The headers of the request are too large; shorten them.',
  },
  // 5xx: not caused by the caller
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    message: 'Something went wrong here; try again, and give the request id when you report it.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Not available now',
    message: 'The service cannot answer at the moment; try again shortly.',
  },
});

/** Code of an error, at the top of an error body or in an element of `validationErrors.list`. */
export type ErrorCode = keyof typeof errorCodes;

/**
 * Identifier of a kind of problem for RFC 9457 `type`: a relative reference that stays the same for each code.
 * @param code error code, such as `NOT_FOUND`
 */
export function problemType(code: ErrorCode): string {
  return `/portal/api/docs#error-${code.toLowerCase().replaceAll('_', '-')}`;
}
