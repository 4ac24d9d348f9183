import type { FieldMetadata, MetadataKey, NumberType } from './shared/field-type.ts';
import { numbers, parseDecimal, readFilterNumber } from './shared/numbers.ts';
import { ValueError } from './shared/value-error.ts';

/** Reads a rating within the bounds of its field and on one of its steps. */
function readFeedback(value: unknown, { metadata }: FieldMetadata): number {
  const number = parseDecimal(value);
  const least = Number(metadata['feedback_min_value'] ?? 0);
  const most = metadata['feedback_max_value'] === undefined ? undefined : Number(metadata['feedback_max_value']);
  const step = metadata['feedback_step'] === undefined ? undefined : Number(metadata['feedback_step']);
  // The tolerance covers rounding errors of the division. A real remainder is far larger, because
  // steps have few digits.
  const off = step === undefined ? 0 : Math.abs((number - least) / step - Math.round((number - least) / step));
  if (number >= least && !(most !== undefined && number > most) && off < 1e-9) return number;
  const range = most === undefined ? `of ${least} or more` : `from ${least} to ${most}`;
  const steps = step === undefined ? '' : ` in steps of ${step}`;
  throw new ValueError('INVALID_VALUE', `send a number ${range}${steps}.`, [least, most ?? null, step ?? null]);
}

const bound: MetadataKey = {
  accepts: (text) => /^\d{1,4}$/.test(text) && Number(text) <= 1000,
  message: 'A whole number up to 1000, as text.',
};

/** A rating. */
export const feedback: NumberType = {
  ...numbers,
  column: 'num',
  parse: readFeedback,
  readParameter: readFilterNumber,
  metadata: {
    feedback_min_value: { ...bound, default: '0' },
    feedback_max_value: bound,
    feedback_step: {
      accepts: (text) => /^\d{1,4}(\.\d{1,6})?$/.test(text) && Number(text) > 0,
      message: 'A positive number with at most six digits after the point, as text.',
    },
  },
  metadataFault: ({ metadata: { feedback_min_value: least = '0', feedback_max_value: most } }) =>
    most !== undefined && Number(most) < Number(least)
      ? { key: 'feedback_max_value', message: `It must not be below feedback_min_value: ${most} is below ${least}.` }
      : undefined,
  sample: ({ random, metadata }) => {
    const least = Number(metadata['feedback_min_value'] ?? 0);
    const most = Number(metadata['feedback_max_value'] ?? least + 5);
    const step = Number(metadata['feedback_step'] ?? 1);
    const steps = Math.max(0, Math.floor((most - least) / step + 1e-9));
    // Sample zero only if the field allows nothing else.
    const rating = least + step * random.int(least === 0 && steps > 0 ? 1 : 0, steps);
    return Number(rating.toFixed(6));
  },
};
