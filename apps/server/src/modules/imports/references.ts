/** Second pass: references to posts that did not exist when their row was written. */
import { writeTransaction } from '../../kernel/access/index.ts';
import { completeReferences } from '../posts/index.ts';
import { saveRecords } from './import-records.ts';
import { fingerprint } from './rows.ts';
import { definitionOf, type Pending, type Progress, type WriteJob } from './write-rows.ts';

/** Batch size of one transaction: posts of some ten rows each. */
const POSTS_AT_ONCE = 40;

/** Writes the deferred references and marks their rows as finished. References still missing are reported. */
export async function completePending(
  { scope, mapping, survey, portalIds, source, reporter, importId }: WriteJob,
  { pending, postIds }: Progress,
): Promise<void> {
  for (let start = 0; start < pending.length; start += POSTS_AT_ONCE) {
    const batch = pending.slice(start, start + POSTS_AT_ONCE);
    await writeTransaction(scope, 'none', async (write) => {
      const definition = await definitionOf(write, portalIds.communityId);
      for (const { postId, references } of batch) {
        const values = new Map<number, number[]>();
        for (const [key, externalIds] of references) {
          const ids = externalIds.flatMap((id) => postIds.get(id) ?? []);
          if (ids.length > 0) values.set(portalIds.fieldIds.get(key)!, ids);
        }
        await completeReferences(write, definition, postId, values);
      }
      await saveRecords(
        write.tx,
        source,
        batch.map(({ data, references, postId, edited }) => ({
          externalId: data.externalId,
          postId,
          fingerprint: fingerprint(data, missing(references, postIds)),
          importId: importId ?? null,
          edited,
        })),
      );
    });
  }
  for (const { line, references } of pending) {
    for (const [key, externalIds] of references) {
      const column = mapping.fields.find((field) => field.key === key)!.source.name;
      for (const id of externalIds) {
        // References outside the file were reported when the row was written.
        if (!postIds.has(id) && survey.lines.has(id)) reporter.value(line, 'its row was not taken', column, id);
      }
    }
  }
}

function missing(references: Pending['references'], postIds: ReadonlyMap<string, number>): string[] {
  return [...references.values()].flatMap((ids) => ids.filter((id) => !postIds.has(id)));
}
