import { CircleCheck, FileText, LayoutList, type LucideIcon, MessageSquare, Paperclip, User } from 'lucide-react';
import type { SearchKind } from './search-address.ts';

/** Icons of the kinds of results. */
export const kindIcons: Readonly<Record<SearchKind, LucideIcon>> = {
  post: FileText,
  comment: MessageSquare,
  task: CircleCheck,
  file: Paperclip,
  person: User,
  community: LayoutList,
};

export function KindIcon({ kind = 'post' }: { kind?: SearchKind | undefined }) {
  const Icon = kindIcons[kind];
  return <Icon size={16} aria-hidden className="muted" />;
}
