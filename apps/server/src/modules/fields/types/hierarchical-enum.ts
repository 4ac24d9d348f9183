import type { ReferenceType } from './shared/field-type.ts';
import { oneChoice } from './shared/ids.ts';

/** A single value of a list whose values depend on the value of a parent field. */
export const hierarchicalEnum: ReferenceType = oneChoice;
