/** Whether an If-None-Match header (RFC 9110 §13.1.2) names this entity tag, compared weakly. @param etag with its quotes, without `W/` */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === etag);
}
