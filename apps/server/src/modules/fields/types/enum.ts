import type { ReferenceType } from './shared/field-type.ts';
import { oneChoice } from './shared/ids.ts';

/** A single value of a list or catalog. */
export const enumeration: ReferenceType = oneChoice;
