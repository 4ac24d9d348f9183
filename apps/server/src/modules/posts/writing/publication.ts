/** Publication of a post: immediately, later by its author, or at a scheduled time. */
import type { ZonedDatetimeInput } from '@portico/contract';
import { resolveZoned } from '@portico/platform/time';
import type { FieldErrors } from '../../../kernel/errors.ts';
import { timeError } from '../../../kernel/time-errors.ts';

/** A scheduled publication: the instant, and the author's input. */
export interface Schedule {
  /** Epoch milliseconds. */
  at: number;
  local: string;
  timezone: string;
}

interface PublicationBody {
  draft?: boolean | undefined;
  scheduledPublication?: ZonedDatetimeInput | undefined;
}

/** The stored state of the publication. */
export interface Publication {
  draft: boolean;
  schedule: Schedule | null;
}

/**
 * Reads whether a post is a draft after a write, and its plan. A scheduled post is a draft until
 * its time. When both are omitted, both are unchanged. `draft: false` without a scheduled time
 * publishes; `draft: true` without one cancels the scheduled publication.
 * @param before null for a new post
 * @param now epoch milliseconds; a plan must lie after it
 * @param errors found errors are added to it
 */
export function readPublication(
  body: PublicationBody,
  before: Publication | null,
  now: number,
  errors: FieldErrors,
): Publication {
  const schedule = body.scheduledPublication && readSchedule(body.scheduledPublication, errors);
  const known = before?.schedule;
  const same = schedule && known && schedule.at === known.at && schedule.timezone === known.timezone;
  if (schedule && before && !before.draft && body.draft !== true) {
    // Forms of published posts still show the plan; resending it changes nothing.
    if (!same) addError(errors, 'The post is already published; it cannot be scheduled.');
    return before;
  }
  if (schedule) {
    if (!same && schedule.at <= now) addError(errors, 'Schedule the publication for a time in the future.');
    return { draft: true, schedule };
  }
  if (body.draft === undefined) return before ?? { draft: false, schedule: null };
  if (before && !before.draft && !body.draft) return before;
  return { draft: body.draft, schedule: null };
}

function addError(errors: FieldErrors, defaultMessage: string): void {
  errors.add('scheduledPublication.datetime', 'INVALID_VALUE', defaultMessage);
}

function readSchedule(input: ZonedDatetimeInput, errors: FieldErrors): Schedule | undefined {
  if (!input.datetime) {
    errors.add('scheduledPublication.datetime', 'REQUIRED_FIELD');
    return undefined;
  }
  try {
    const { epochMs, local, timezone } = resolveZoned({ datetime: input.datetime, timezone: input.timezone ?? 'UTC' });
    return { at: epochMs, local, timezone };
  } catch (error) {
    errors.push(
      timeError(error, { datetime: 'scheduledPublication.datetime', timezone: 'scheduledPublication.timezone' }),
    );
    return undefined;
  }
}
