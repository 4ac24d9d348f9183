/** @returns first and last name; empty for nobody */
export function nameOf(user: { firstName?: string; lastName?: string } | undefined): string {
  return [user?.firstName, user?.lastName].filter(Boolean).join(' ');
}
