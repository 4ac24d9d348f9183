import type { ReferenceType } from './shared/field-type.ts';
import { manyIds } from './shared/ids.ts';

/** Several values of a list or catalog. */
export const enumList: ReferenceType = { ...manyIds, filter: 'choice' };
