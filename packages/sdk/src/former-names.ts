/** Former names of methods, which work for one version more. */
import { exportName, iteratorName } from './methods.ts';
import { formerNames } from './operation-table.generated.ts';

type Groups = Readonly<Record<string, Record<string, unknown> | undefined>>;

/** Adds the former names of methods to the groups of a client, with those of iterators and exports. */
export function addFormerNames(groups: Groups): void {
  let part = '';
  for (const line of formerNames.split('\n')) {
    const [former = '', present] = line.split(' ');
    if (present === undefined) {
      part = former;
      continue;
    }
    const [first = '', second] = present.split('.');
    const before = groups[part];
    const now = groups[second === undefined ? part : first];
    for (const named of [(method: string) => method, iteratorName, exportName]) {
      const method = now?.[named(second ?? first)];
      if (before && method) before[named(former)] ??= method;
    }
  }
}
