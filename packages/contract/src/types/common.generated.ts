// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { JsonValue } from './json.ts';

/** One error in a request. */
export interface ValidationError {
  /** Kind of error; one of the published error codes, such as REQUIRED_FIELD. */
  code?: string;
  /** What the message speaks of: limits, allowed values, nearest names. */
  args?: JsonValue[];
  /** The error in English, and what to do about it. */
  defaultMessage?: string;
  /** Where in the request the error is, as a path such as `customData.12` or `attachments[0].name`. */
  field?: string;
}

/** All errors found in a request. */
export interface ValidationErrors {
  /** The errors. */
  list?: ValidationError[];
}

/** Answer to a request with invalid values (status 400). */
export interface ValidationErrorResponse {
  /** What is wrong, value by value. */
  validationErrors?: ValidationErrors;
}

/** One error in a request that writes custom fields. */
export interface CustomFieldValidationError {
  /** Kind of error; one of the published error codes, such as REQUIRED_FIELD. */
  code?: string;
  /** What the message speaks of: limits, allowed values, nearest names. */
  args?: JsonValue[];
  /** The error in English, and what to do about it. */
  defaultMessage?: string;
  /** Where in the request the error is, as a path such as `customData.12` or `attachments[0].name`. */
  field?: string;
  /** Id of the rule of the field that was broken, if it was one. */
  validationId?: number;
  /** Code of the rule that was broken, from the published table of validation rules. */
  validationTypeId?: number;
  /** Id of the custom field that the error is about, if it was one. */
  customFieldId?: number;
  /** Identifier of that field in another system, where it has one. */
  externalId?: string;
}

/** All errors found in a request that writes custom fields. */
export interface CustomFieldValidationErrors {
  /** The errors. */
  list?: CustomFieldValidationError[];
}

/** Answer to a write of posts or screens with invalid values (status 400). */
export interface CustomFieldValidationErrorResponse {
  /** What is wrong, value by value. */
  validationErrors?: CustomFieldValidationErrors;
}

/** A date and time in a time zone, as it is read. */
export interface ZonedDatetime {
  /** ISO 8601 with the offset that holds at that moment, such as 2026-12-31T18:00:00+01:00. */
  zonedDatetime?: string;
  /** ISO 8601 without offset: what a clock in the zone shows. */
  localDatetime?: string;
  /** IANA name of the zone. */
  timezone?: string;
}

/** A date and time in a time zone, as it is written. */
export interface ZonedDatetimeInput {
  /** ISO 8601 without offset, such as 2026-12-31T18:00:00; a `localDatetime` that was read will do. */
  datetime?: string;
  /** IANA name of the zone, such as Europe/Rome. Left out: UTC in `scheduledPublication`; `expiration` of tasks and of requests to acknowledge needs one, unless `datetime` ends with an offset such as +01:00; it is UTC then. A listed name, or an offset such as +02:00; older names are understood too. */
  timezone?: string;
}

/** A language a person may choose. */
export interface Language {
  /** Code of the language, such as `en`. */
  code?: string;
  /** Name of the language in itself. */
  description?: string;
}

/** A time zone a person may choose. */
export interface Timezone {
  /** Id on the published list of zones. */
  id?: number;
  /** Name of the zone, the same as `zoneId`. */
  code?: string;
  /** IANA name of the zone. */
  zoneId?: string;
  /** Name of the zone to show to people. */
  description?: string;
}
