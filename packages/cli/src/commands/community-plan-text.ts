/** Plans of communities as text. */
import type { AccessChange, CommunityPlanChange, CommunityPlanLoss, PlanCommunityResponse } from '@portico/contract';

const MARKS = { create: '+', change: '~', remove: '-' } as const;

/** Returns a plan as text: changes, data without a place, new faults, and changed rights. */
export function planText(plan: PlanCommunityResponse): string {
  const { changes = [], changesCount = changes.length, losses = [], findings = [], accessChanges = [] } = plan;
  const lines = changes.flatMap(changeLines);
  if (changesCount > changes.length) lines.push(`  … and ${changesCount - changes.length} more`);
  if (losses.length > 0) lines.push('Data of posts without a place:', ...losses.map(lossLine));
  const fresh = findings.filter((finding) => finding.new);
  if (fresh.length > 0) lines.push('New faults:', ...fresh.map(({ kind, text }) => `  ! ${kind}: ${text}`));
  if (accessChanges.length > 0) lines.push('Rights:', ...accessChanges.flatMap(accessLines));
  if (changesCount === 0 && losses.length === 0)
    return ['No changes: the community matches the file.', ...lines, ''].join('\n');
  const counts = (['create', 'change', 'remove'] as const).map(
    (action) => `${changes.filter((change) => change.action === action).length} to ${action}`,
  );
  return `${lines.join('\n')}\nPlan: ${counts.join(', ')}.\n`;
}

function changeLines({
  action = 'change',
  kind,
  key,
  within,
  nearest,
  properties = [],
  postsCount = 0,
}: CommunityPlanChange): string[] {
  const place = within === undefined ? '' : ` in ${within}`;
  const touched = postsCount === 0 ? '' : ` (posts: ${postsCount})`;
  const like = nearest === undefined ? '' : ` (new; did you mean ${nearest}?)`;
  return [
    `  ${MARKS[action]} ${kind} ${key}${place}${touched}${like}`,
    ...properties.map(({ name, before, after }) => `      ${name}: ${before ?? '(none)'} → ${after ?? '(none)'}`),
  ];
}

function lossLine({ text, chosen }: CommunityPlanLoss): string {
  return chosen === undefined ? `  ? ${text}` : `  ${chosen}: ${text?.replace(/ Send onExisting.*$/, '')}`;
}

function accessLines(change: AccessChange): string[] {
  const { communityName, permission, gaining = [], gainingCount = 0, losing = [], losingCount = 0 } = change;
  const where = communityName ? ` in ${communityName}` : '';
  const line = (verb: string, people: typeof gaining, count: number) => {
    if (count === 0) return [];
    const names = people.map(({ name }) => name).join(', ');
    const more = count > people.length && names !== '' ? ', …' : '';
    return [`  ${verb} ${permission}${where}: ${count}${names === '' ? '' : ` (${names}${more})`}`];
  };
  return [...line('gain', gaining, gainingCount), ...line('lose', losing, losingCount)];
}
