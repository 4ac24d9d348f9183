/**
 * A statement of a transaction that writes objects of the interface, or rows that belong to them, names the objects: it runs
 * through `change`, `changeRows`, `create` or `createAs` of the transaction (ADR 23), from which audit log and dry run follow.
 */
import { tables } from '../../apps/server/src/modules/tables.ts';
import { type Node, parseSource, visit } from './imports.ts';
import { textOf, WRITE } from './table-writes.ts';

/** Objects that a call records for all statements of a verb: `recordPost`, `changeDefinitions`. */
const RECORDED_AS_A_WHOLE: readonly string[] = ['posts', 'fields'];

/** Tables that files write without naming objects, with the reason. */
const UNNAMED: Readonly<Record<string, readonly [file: string, reason: string][]>> = {
  communities: [['define-views.ts', 'the tokens of communities that show related posts follow the view']],
  following: [['following.repository.ts', 'a choice follows its post to another community']],
  imports: [
    ['imports.repository.ts', 'progress of the worker'],
    ['undo-entries.ts', 'progress of the worker'],
  ],
  notifications: [
    ['due-tasks.repository.ts', 'notifications follow from events'],
    ['notifications.repository.ts', 'notifications follow from events'],
    ['notification-mails.repository.ts', 'the outcome of a mail follows from the mail server'],
  ],
  outgoing_mails: [['outgoing-mails.repository.ts', 'mails follow from other changes']],
  recovery_codes: [['totp.repository.ts', 'no record shows the codes']],
  task_reminders: [['reminders.repository.ts', 'the worker sends reminders']],
  user_sessions: [['sessions.repository.ts', 'the log records the sign-in itself']],
  users: [
    ['import-users.repository.ts', 'an import sets the managers of the people that it creates'],
    ['units.repository.ts', 'deleted users leave a deleted unit'],
    ['users.repository.ts', 'the last step of an erasure that the log has'],
  ],
};

/** Returns the table of the objects that the rows of a table are, or belong to; undefined for other tables. */
function objectsOf(name: string): string | undefined {
  const table = tables.get(name);
  if (!table || RECORDED_AS_A_WHOLE.includes(name)) return undefined;
  if (table.entity ?? table.audit) return name;
  if (table.field !== undefined && table.parent) return table.parent.table;
  return table.auditList?.of;
}

/** Whether a node is the handle of a transaction: `tx`, or a member of this name. */
function isTransaction(node: Node): boolean {
  if (node.type === 'Identifier') return node['name'] === 'tx';
  return node.type === 'MemberExpression' && (node['property'] as Node)['name'] === 'tx';
}

/** Returns the text of a statement that runs on a transaction without naming objects; undefined for other nodes. */
function unnamedStatement(node: Node): string | undefined {
  const callee = node['callee'] as Node | undefined;
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return undefined;
  if (!['execute', 'query'].includes((callee['property'] as Node)['name'] as string)) return undefined;
  if (!isTransaction(callee['object'] as Node)) return undefined;
  const [statement] = node['arguments'] as Node[];
  return statement && textOf(statement);
}

/**
 * Finds statements that change objects without naming them.
 * @param files sources without tests
 * @returns one sentence per breach
 */
export function checkNamedWrites(files: readonly { path: string; text: string }[]): string[] {
  const problems: string[] = [];
  for (const { path, text } of files) {
    if (!path.startsWith('apps/server/src/') || !/\btx\b/.test(text)) continue;
    visit(parseSource(path, text), (node) => {
      const statement = unnamedStatement(node);
      for (const match of statement?.matchAll(WRITE) ?? []) {
        const table = (match[1] ?? match[2] ?? match[3] ?? '').toLowerCase();
        const objects = objectsOf(table);
        if (objects === undefined || RECORDED_AS_A_WHOLE.includes(objects)) continue;
        if (UNNAMED[table]?.some(([file]) => path.endsWith(`/${file}`))) continue;
        problems.push(
          `${path}:${node.loc?.start.line} writes ${table} without naming the ${objects}; run it through change or create of the transaction`,
        );
      }
    });
  }
  return problems;
}
