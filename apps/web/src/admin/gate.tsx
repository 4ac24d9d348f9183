/**
 * The door of the administration. Its screens are loaded for holders of an administrative right
 * only; this file is part of the page that everybody loads.
 */
import { Navigate, Outlet, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NotFoundPage } from '../failures/not-found-page.tsx';
import { part } from '../failures/part.ts';
import { Failed, Loading } from '../placeholders.tsx';
import { type Right, useRights } from '../shared-queries.ts';

const AdminFrame = part(() => import('./admin-frame.tsx'), 'AdminFrame');

/** The frame of the administration around a screen, for holders of a right; nothing around it for others. */
export function AdminGate() {
  const rights = useRights();
  if (rights.isPending) return <Loading />;
  if (rights.isError) return <Failed query={rights} />;
  return rights.data.size > 0 ? <AdminFrame /> : <Outlet />;
}

/**
 * Shows a screen to holders of a right.
 * @param right any right if left out
 * @param Otherwise shown to everybody else
 */
export function forHolders(
  Screen: ComponentType & { preload: () => Promise<void> },
  right?: Right,
  Otherwise: ComponentType = NotFoundPage,
) {
  return function ForHolders() {
    const held = useRights().data;
    const may = held !== undefined && (right === undefined ? held.size > 0 : held.has(right));
    return may ? <Screen /> : <Otherwise />;
  };
}

/** Leads from the administrative address of a person to the list of people. */
export function PersonBesideList() {
  const { personId } = useParams({ strict: false });
  return <Navigate to="/people" search={{ person: Number(personId) }} replace />;
}
