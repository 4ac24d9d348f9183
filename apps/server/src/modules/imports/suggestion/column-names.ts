/** Names that columns often have, in several languages, by the part of the post. */

import type { ImportTarget } from '@portico/contract';
import { normaliseText } from '@portico/platform/text';

/** A name without case, accents, marks and spaces. */
export const plainName = (name: string): string => normaliseText(name).replace(/[^\p{L}\p{N}]+/gu, '');

const NAMES: Partial<Record<ImportTarget, readonly string[]>> = {
  title: [
    ...['title', 'summary', 'subject', 'name', 'headline', 'topic'],
    ...['titel', 'betreff', 'bezeichnung', 'thema', 'titolo', 'oggetto', 'nome', 'titre', 'objet', 'titulo', 'asunto'],
    ...['otsikko', '件名', '題名', 'タイトル'],
  ],
  body: [
    ...['description', 'body', 'text', 'details', 'content', 'notes', 'beschreibung', 'inhalt', 'notizen'],
    ...['descrizione', 'testo', 'contenuto', 'note', 'descripcion', 'kuvaus', '説明', '内容'],
  ],
  state: ['state', 'status', 'stato', 'zustand', 'etat', 'statut', 'estado', 'tila', 'ステータス', '状態'],
  externalId: [
    ...['id', 'externalid', 'key', 'number', 'no', 'nr', 'uuid', 'identifier', 'code', 'issueid', 'ticketid', 'ticket'],
    ...['nummer', 'kennung', 'numero', 'codice', 'chiave', 'numerounico', 'tunnus', '番号'],
  ],
  hashtags: ['tags', 'hashtags', 'keywords', 'schlagworte', 'etichette', 'parolechiave'],
  watchers: ['watchers', 'followers', 'beobachter', 'osservatori'],
  visibility: ['visibility', 'sichtbarkeit', 'visibilita'],
  author: [
    ...['author', 'creator', 'createdby', 'reporter', 'reportedby', 'requester', 'submittedby', 'autor', 'ersteller'],
    ...['erstelltvon', 'gemeldetvon', 'autore', 'creatoda', 'creadopor', 'auteur', '作成者'],
  ],
  modifier: ['editedby', 'modifiedby', 'updatedby', 'lastmodifiedby', 'geandertvon', 'bearbeitetvon', 'modificatoda'],
  created: [
    ...['created', 'createdat', 'createdon', 'creationdate', 'datecreated', 'opened', 'openedat'],
    ...['erstellt', 'erstelltam', 'angelegt', 'creato', 'creatoil', 'datadicreazione', 'cree', '作成日', '作成日時'],
  ],
  modified: [
    ...['modified', 'modifiedat', 'updated', 'updatedat', 'lastmodified', 'lastupdated', 'edited', 'changed'],
    ...['geandert', 'geandertam', 'aktualisiert', 'modificato', 'aggiornato', '更新日', '更新日時'],
  ],
  comments: ['comment', 'comments', 'kommentar', 'kommentare', 'commento', 'commenti', 'コメント'],
};

/** Columns of people. */
const PEOPLE: ReadonlySet<string> = new Set([
  ...[
    'assignee',
    'assignees',
    'assignedto',
    'owner',
    'responsible',
    'agent',
    'zustandig',
    'zugewiesenan',
    'bearbeiter',
  ],
  ...['verantwortlich', 'assegnatario', 'assegnatoa', 'responsabile', 'incaricato', '担当者', '作業者'],
]);

const byName: ReadonlyMap<string, { target: ImportTarget; rank: number }> = new Map(
  Object.entries(NAMES).flatMap(([target, names]) =>
    names.map((name, rank) => [plainName(name), { target: target as ImportTarget, rank }] as const),
  ),
);

/** Returns the part of a post that a column of this name usually holds; the lower the rank, the likelier. */
export const usualTarget = (name: string) => byName.get(plainName(name));

/** Whether a column of this name usually holds people. */
export const holdsPeople = (name: string): boolean => PEOPLE.has(plainName(name));
