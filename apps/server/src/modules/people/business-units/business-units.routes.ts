/** The operations of business units. */

import type { Handlers } from '../../../kernel/operations.ts';
import { BUSINESS_UNIT, createUnit, deleteUnit, editUnit, listUnits } from '../users/units.ts';

export const businessUnitHandlers = {
  listBusinessUnits: ({ scope, body }) => listUnits(BUSINESS_UNIT, scope, body ?? {}),
  createBusinessUnit: ({ scope, body }) => createUnit(BUSINESS_UNIT, scope, body ?? {}),
  editBusinessUnit: ({ scope, params, body }) => editUnit(BUSINESS_UNIT, scope, params.businessUnitId, body ?? {}),
  deleteBusinessUnit: async ({ scope, params }) => {
    await deleteUnit(BUSINESS_UNIT, scope, params.businessUnitId);
    return undefined;
  },
} satisfies Handlers;
