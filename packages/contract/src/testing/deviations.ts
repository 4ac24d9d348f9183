/** Where the contract declares otherwise than the description of the interface, and why. */
import type { OperationId } from '../operations/index.ts';
import type { DeclaredName } from '../schemas/index.ts';

/** Another body of an answer than the described one. */
export interface AnswerDeviation {
  readonly status: number;
  readonly declared: DeclaredName;
  readonly reason: string;
}

export const answerDeviations: Readonly<Partial<Record<OperationId, AnswerDeviation>>> = {
  editCatalogEntryDeleted: {
    status: 200,
    declared: 'EditCatalogEntryDeletedResponse',
    reason: 'The described body names the catalog alone; live answers name the entry. Ours names both.',
  },
};
