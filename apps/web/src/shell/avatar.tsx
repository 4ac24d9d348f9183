import { nameOf } from '../posts/user-name.ts';

/** How many colours there are, in `shell.css`. */
const HUES = 8;

/** The photo of a person, or their initials on a colour that stays theirs. */
export function Avatar({
  user,
  size = 20,
}: {
  user: { id?: number; firstName?: string; lastName?: string; accountPhotoUrl?: string } | undefined;
  /** Pixels. */
  size?: number;
}) {
  const style = { inlineSize: size, blockSize: size, fontSize: Math.max(9, size * 0.42) };
  if (user?.accountPhotoUrl) return <img className="avatar" src={user.accountPhotoUrl} alt="" style={style} />;
  const initials = [user?.firstName, user?.lastName].map((name) => [...(name ?? '')][0] ?? '').join('');
  return (
    <span className="avatar" data-hue={(user?.id ?? 0) % HUES} style={style} title={nameOf(user)} aria-hidden>
      {initials || '?'}
    </span>
  );
}
