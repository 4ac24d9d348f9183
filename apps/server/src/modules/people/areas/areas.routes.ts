/** The operations of areas. */

import type { Handlers } from '../../../kernel/operations.ts';
import { AREA, createUnit, deleteUnit, editUnit, listUnits } from '../users/units.ts';

export const areaHandlers = {
  listAreas: ({ scope, body }) => listUnits(AREA, scope, body ?? {}),
  createArea: ({ scope, body }) => createUnit(AREA, scope, body ?? {}),
  editArea: ({ scope, params, body }) => editUnit(AREA, scope, params.areaId, body ?? {}),
  deleteArea: async ({ scope, params }) => {
    await deleteUnit(AREA, scope, params.areaId);
    return undefined;
  },
} satisfies Handlers;
