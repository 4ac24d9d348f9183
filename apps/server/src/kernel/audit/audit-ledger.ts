/**
 * Records the changes of a transaction to objects whose table is described with `audit`: the
 * objects are read before the first statement that changes them and before the commit, and the
 * difference becomes an entry of the log in the same transaction. Several changes of one object by
 * one transaction are one entry.
 */
import type { OpenLedger } from '@portico/platform/db/tenant-db';
import type { Tables } from '../tables/registry.ts';
import { insertEntries, type NewEntry } from './entries.ts';
import { type AuditedTable, type AuditImage, compareAuditImages, readAuditImages } from './images.ts';

/** @param tables all tables; tables that the audit log does not record cost nothing */
export function auditLedger(tables: Tables): OpenLedger {
  return (tx, caller) => {
    /**
     * Objects by table, as they were before this transaction; undefined for objects that it
     * created.
     */
    const seen = new Map<AuditedTable, Map<number, AuditImage | undefined>>();
    const seenOf = (name: string) => {
      const table = tables.get(name);
      if (!isAudited(table)) return undefined;
      const found = seen.get(table) ?? new Map<number, AuditImage | undefined>();
      seen.set(table, found);
      return { table, found };
    };
    return {
      changing: async (name, ids) => {
        const audited = seenOf(name);
        if (!audited) return;
        const { table, found } = audited;
        const unknown = [...new Set(ids)].filter((id) => !found.has(id));
        if (unknown.length === 0) return;
        for (const [id, image] of await readAuditImages(tx, tables, table, unknown, true)) found.set(id, image);
      },
      changed: (name) => {
        if (isAudited(tables.get(name)))
          throw new Error(
            `A statement that changes objects of ${name} takes their ids: the audit log reads them first.`,
          );
      },
      created: (name, ids) => {
        const found = seenOf(name)?.found;
        for (const id of ids) if (found && !found.has(id)) found.set(id, undefined);
      },
      beforeCommit: async () => {
        const entries: NewEntry[] = [];
        for (const [table, found] of seen) {
          if (found.size === 0) continue;
          const images = await readAuditImages(tx, tables, table, [...found.keys()], false);
          const object = table.audit.object ?? table.entity ?? table.name;
          for (const [objectId, was] of found) {
            const difference = compareAuditImages(table, was, images.get(objectId));
            if (difference) entries.push({ ...difference, object, objectId });
          }
        }
        await insertEntries(tx, caller, entries);
      },
    };
  };
}

const isAudited = (table: unknown): table is AuditedTable => (table as AuditedTable | undefined)?.audit !== undefined;
