/** Finds and creates the people whom the rows of an import name. */
import { writeTransaction } from '../../kernel/access/index.ts';
import { ensureUsers, findDeletedUsers, findUsers } from '../people/index.ts';
import { noteMade } from './made.repository.ts';
import { type Prepared, unusableKey } from './prepared.ts';
import { shortened } from './report.ts';
import { runInBatches } from './run-in-batches.ts';

/** Most people that one transaction creates. */
const PEOPLE_AT_ONCE = 150;

/** @param makes whether missing people are created */
export async function preparePeople(prepared: Prepared, makes: boolean): Promise<void> {
  const { scope, survey, portalIds, importId } = prepared;
  await prepareDeleted(prepared);
  await runInBatches(
    [...survey.people].filter(([, { deleted }]) => !deleted),
    PEOPLE_AT_ONCE,
    async (batch) => {
      const people = batch.map(([, { name, email }]) => ({ name, contactEmail: email || undefined }));
      const ids = await writeTransaction(scope, 'none', async (write) => {
        const known = await findUsers(write, people);
        if (!makes || known.every((id) => id !== undefined)) return known;
        const ensured = await ensureUsers(write, people);
        const made = ensured.filter((_, index) => known[index] === undefined);
        await noteMade(write.tx, importId, 'person', made);
        return ensured;
      });
      for (const [index, [key]] of batch.entries()) {
        const id = ids[index];
        if (id === undefined) portalIds.unusable.set(unusableKey('person', key), 'no user has this name or address');
        else portalIds.people.set(key, id);
      }
    },
    ([key], reason) => portalIds.unusable.set(unusableKey('person', key), reason),
  );
}

/** Finds the people whom the file marks as deleted. Creates none of them. */
async function prepareDeleted({ scope, survey, portalIds }: Prepared): Promise<void> {
  const marked = [...survey.people].filter(([, { deleted }]) => deleted);
  if (marked.length === 0) return;
  const names = marked.map(([, { name }]) => name);
  const found = await findDeletedUsers(scope.db, names);
  for (const [index, [key, { name }]] of marked.entries()) {
    const ids = found[index]!;
    if (ids.length === 1) portalIds.people.set(key, ids[0]!);
    else {
      const many = ids.length === 0 ? 'no deleted person is' : `${ids.length} deleted people are`;
      const reason = `${many} called "${shortened(name)}"; name a person who is there, or leave it out, by "map"`;
      portalIds.unusable.set(unusableKey('person', key), reason);
    }
  }
}
