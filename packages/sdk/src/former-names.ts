/** Former names of methods, which work for one version more. */

import { methodsByPart } from './api.ts';
import { formerNames } from './api-table.generated.ts';
import { exportName, iteratorName } from './methods.ts';

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
  for (const group of Object.keys(methodsByPart()).map((name) => groups[name] ?? {}))
    for (const [present, method] of Object.entries(group)) {
      const former = formerName(present);
      if (former !== undefined) group[former] ??= method;
    }
}

/** The former name that follows from the present one; others are in the table. */
function formerName(present: string): string | undefined {
  const [, written] = /^(?:replace|update)(?=[A-Z]|$)(.*)/.exec(present) ?? [];
  if (written !== undefined) return `edit${written}`;
  const [, form] = /^read(.*)ForEdit$/.exec(present) ?? [];
  return form && `${form.charAt(0).toLowerCase()}${form.slice(1)}Form`;
}
