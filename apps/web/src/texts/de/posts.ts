/** Texts of lists of posts and of posts in German. */

import type { en as bulkTexts } from '../../communities/bulk/texts.ts';
import type { en as menuTexts } from '../../communities/menu-texts.ts';
import type { en as listTexts } from '../../communities/texts.ts';
import type { en as deletedTexts } from '../../posts/deleted/texts.ts';
import type { en as keyTexts } from '../../posts/editing/key-texts.ts';
import type { en as moveTexts } from '../../posts/editing/move-texts.ts';
import type { en as versionTexts } from '../../posts/versions-texts.ts';
import { german } from './plural.ts';

export const list: typeof listTexts = {
  layouts: { table: 'Tabelle', board: 'Board', calendar: 'Kalender' },
  layout: 'Anordnung',
  more: 'Mehr',
  figures: 'Zahlen',
  overview: 'Übersicht',
  deletedPosts: 'Gelöschte Beiträge',
  build: 'Felder und Workflow',
  select: (title) => `${title} auswählen`,
  selectAll: 'Alle geladenen Beiträge auswählen',
  widthOf: (column) => `Breite von ${column}`,
  selectKey: 'Beitrag auswählen',
  peekKey: 'Beitrag neben der Liste zeigen',
  rowBelow: 'Zeile darunter',
  rowAbove: 'Zeile darüber',
  nextCell: 'Nächste Zelle der Zeile',
  previousCell: 'Vorige Zelle der Zeile',
  editCell: 'Zelle bearbeiten',
  leaveCell: 'Zelle verlassen',
  cellAt: (column, text) => `${column}: ${text}`,
  pasted: (column, title) => `${column} von „${title}“ wurde geändert.`,
  notPasted: (column, why) => `${column} wurde nicht geändert: ${why}`,
  noValue: (text, column) => `„${text}“ ist kein Wert von ${column}.`,
  openFull: 'Öffnen',
  newPosts: (count) => german(count, { one: '1 neuer', other: `${count} neue` }),
  markSeen: 'Alle Beiträge als gesehen markieren',
  markedSeen: 'Alle Beiträge sind als gesehen markiert.',
  of: (loaded, total) => `Die ersten ${loaded} von ${total} Beiträgen`,
  selected: (count) => `${count} ausgewählt`,
  clearSelection: 'Auswahl aufheben',
  moveTo: 'Verschieben nach …',
  moveKey: 'Beitrag in einen anderen Status verschieben',
  move: (title) => `${title} verschieben`,
  moved: (title, state) => `${title}: ${state}`,
  moveFailed: 'Der Beitrag wurde nicht verschoben.',
  here: 'Aktueller Status',
  noStep: (state) => `Von „${state}“ führt kein Schritt in diesen Status.`,
  noRight: 'Sie dürfen diesen Schritt nicht ausführen.',
  noBoard: 'Das Board braucht einen Workflow, und diese Community hat keinen. Wählen Sie die Tabelle.',
  loadMoreCards: 'Mehr anzeigen',
  by: 'Datum',
  today: 'Heute',
  previousMonth: 'Voriger Monat',
  nextMonth: 'Nächster Monat',
  moreOfDay: (count) => `${count} weitere`,
  noneThisMonth: 'Keine Beiträge in diesem Monat.',
  tooMany: (count) =>
    `Nur die ersten ${count} Beiträge des Monats werden gezeigt. Fügen Sie einen Filter hinzu, um andere zu sehen.`,
  views: 'Ansichten',
  allPosts: 'Alle Beiträge',
  saveView: 'Ansicht speichern',
  viewName: 'Name der Ansicht',
  shareView: 'Mit allen in der Community teilen',
  save: 'Speichern',
  saveChanges: 'Änderungen speichern',
  deleteView: 'Ansicht löschen',
  viewSaved: 'Die Ansicht wurde gespeichert.',
  viewDeleted: 'Die Ansicht wurde gelöscht.',
  viewFailed: 'Die Ansicht wurde nicht geändert.',
  favourite: 'Zu den Favoriten hinzufügen',
  unfavourite: 'Aus den Favoriten entfernen',
  makeDefault: 'Zur Standardansicht machen',
  unsupportedConditions: 'Einige Bedingungen dieser Ansicht werden hier nicht unterstützt. Sie werden nicht beachtet.',
};

export const listMenu: typeof menuTexts = {
  noSuchGroups: 'Diese Community hat keine solchen Gruppen.',
  choose: 'Beiträge auswählen',
  groupBy: 'Gruppieren nach',
  noGroups: 'Keine Gruppen',
  groupedBy: (name) => `Gruppiert nach ${name}`,
  ungroup: 'Gruppen entfernen',
  noneOf: (name) => `Ohne ${name}`,
  groupCount: (count) => german(count, { one: '1 Beitrag', other: `${count} Beiträge` }),
  otherGroups: (count) => german(count, { one: '1 weitere Gruppe', other: `${count} weitere Gruppen` }),
  loadMore: 'Weitere zeigen',
  sumOf: (field, sum) => `${field}: ${sum}`,
  onlyNewest: (count) => `Anzahlen und Summen sind die der neuesten ${count} Beiträge.`,
  formats: { csv: 'Als CSV herunterladen', xlsx: 'Als Excel-Arbeitsmappe herunterladen' },
  importFile: 'Datei importieren …',
  notExported: 'Die Liste wurde nicht heruntergeladen.',
  calendar: 'Kalenderadresse …',
  calendarTitle: 'Kalenderadresse',
  calendarHint:
    'Kalenderprogramme, die die Adresse kennen, zeigen die Termine dieser Community, die Sie sehen dürfen. Wer die Adresse hat, kann sie lesen: Halten Sie sie geheim. Eine neue Adresse beendet die vorige.',
  createAddress: 'Adresse erstellen',
  address: 'Adresse',
  onlyOnce: 'Die Adresse wird nur einmal gezeigt. Kopieren Sie sie jetzt.',
  copy: 'Kopieren',
  copied: 'Kopiert',
};

export const bulk: typeof bulkTexts = {
  bar: 'Ausgewählte Beiträge',
  sum: (field, sum) => `${field}: ${sum} insgesamt`,
  step: 'Schritt ausführen',
  edit: 'Feld bearbeiten',
  selectAll: (count) =>
    german(count, {
      one: 'Den Beitrag dieses Filters auswählen',
      other: `Alle ${count} Beiträge dieses Filters auswählen`,
    }),
  selectFirst: (most, total) => `Die ersten ${most} von ${total} Beiträgen dieses Filters auswählen`,
  reading: (read, total) => `${read} von ${total} gelesen …`,
  onlyFirst: (most) => `Die ersten ${most} Beiträge der Liste sind ausgewählt.`,
  notSelected: 'Die Beiträge wurden nicht ausgewählt.',
  progress: (done, total) => `${done} von ${total} Beiträgen erledigt`,
  stop: 'Anhalten',
  goOn: (count) => german(count, { one: 'Mit 1 Beitrag fortfahren', other: `Mit ${count} Beiträgen fortfahren` }),
  changed: (count) => `${count} geändert`,
  gone: (count) => `${count} gelöscht`,
  ended: (done, total) =>
    german(done, {
      one: `1 von ${total} Beiträgen wurde geändert.`,
      other: `${done} von ${total} Beiträgen wurden geändert.`,
    }),
  delete: 'Löschen',
  deleteTitle: (count) => german(count, { one: '1 Beitrag löschen', other: `${count} Beiträge löschen` }),
  editTitle: (field, count) =>
    german(count, { one: `${field} von 1 Beitrag`, other: `${field} von ${count} Beiträgen` }),
  stepTitle: (step, count) => german(count, { one: `${step}: 1 Beitrag`, other: `${step}: ${count} Beiträge` }),
  emptyField: 'Lassen Sie es leer, um das Feld zu leeren.',
  preview: 'Vorschau',
  previewing: 'Die Vorschau wird geladen …',
  apply: 'Anwenden',
  wouldChange: (count) => `${count} angenommen`,
  unchanged: (count) => `${count} unverändert`,
  refused: (count) => `${count} abgelehnt`,
  notRun: (count) => `${count} nicht versucht`,
  more: (count) => `und ${count} weitere`,
  done: (count) => german(count, { one: '1 Beitrag geändert.', other: `${count} Beiträge geändert.` }),
  deleted: (count) => german(count, { one: '1 Beitrag gelöscht.', other: `${count} Beiträge gelöscht.` }),
  partly: (done, failed) =>
    german(done, {
      one: `1 Beitrag geändert, ${failed} fehlgeschlagen.`,
      other: `${done} Beiträge geändert, ${failed} fehlgeschlagen.`,
    }),
  undone: (count) =>
    german(count, {
      one: 'Die Änderung von 1 Beitrag wurde rückgängig gemacht.',
      other: `Die Änderung von ${count} Beiträgen wurde rückgängig gemacht.`,
    }),
  undoFailed:
    'Einige Änderungen konnten nicht rückgängig gemacht werden. Vielleicht hat jemand die Beiträge inzwischen bearbeitet.',
};

export const move: typeof moveTexts = {
  title: 'In eine Community verschieben …',
  move: 'Verschieben',
  allKept: 'Werte, Kommentare, Aufgaben und Dateien ziehen mit dem Beitrag um. Er bekommt eine neue Nummer.',
  someLost:
    'Kommentare, Aufgaben und Dateien ziehen mit dem Beitrag um. Die andere Community hat für diese Werte kein Feld mit demselben Namen:',
  lose: 'Wert verwerfen',
  into: (field) => `Nach „${field}“ verschieben`,
  chooseState: 'Wählen Sie den Status des Beitrags in der anderen Community.',
  moved: (title, community) => `„${title}“ wurde nach ${community} verschoben.`,
  movedBack: 'Der Beitrag wurde zurückverschoben.',
};

export const versions: typeof versionTexts = {
  title: 'Versionen',
  back: 'Zurück zum Beitrag',
  now: 'Aktuelle Version',
  only: 'Dieser Beitrag wurde noch nicht bearbeitet.',
  first: 'älteste Version',
  parts: {
    title: 'Titel',
    description: 'Text',
    hashtags: 'Hashtags',
    event: 'Termin',
    attachments: 'Anhänge',
    field: 'Feld',
  },
  eventParts: { startAt: 'Beginn', endAt: 'Ende', timezone: 'Zeitzone', location: 'Ort' },
  fields: (count) => german(count, { one: '1 Feld', other: `${count} Felder` }),
  differences: 'Änderungen, wenn Sie diese Version wiederherstellen',
  same: 'Diese Version ist gleich der aktuellen.',
  filesStay: 'Dateien bleiben, wie sie sind.',
  bringFilesBack: 'Seither entfernte Dateien zurückholen',
  newFilesStay: 'Seither hinzugefügte Dateien bleiben.',
  nothing: 'nichts',
  restore: 'Diese Version wiederherstellen',
  restored: 'Die Version wurde wiederhergestellt.',
  conflict: 'Der Beitrag wurde inzwischen bearbeitet. Die Liste wurde neu geladen.',
  undo: 'Rückgängig',
};

export const deleted: typeof deletedTexts = {
  title: 'Gelöschte Beiträge',
  titleOf: (community) => `Gelöschte Beiträge von ${community}`,
  lead: 'Sie können Beiträge wiederherstellen, die Sie geschrieben und gelöscht haben, und alle Beiträge von Communitys, die Sie verwalten. 30 Tage nach dem Löschen werden Beiträge endgültig entfernt.',
  community: 'Community',
  everywhere: 'Gelöschte Beiträge aller Communitys',
  none: 'Keine Beiträge zum Wiederherstellen.',
  by: (name) => `gelöscht von ${name}`,
  restore: 'Wiederherstellen',
  restorePost: (title) => `${title} wiederherstellen`,
  restored: (title) => `„${title}“ wurde wiederhergestellt.`,
  open: 'Öffnen',
  gone: 'Der Beitrag konnte nicht wiederhergestellt werden. Die Liste wurde neu geladen.',
  more: 'Mehr anzeigen',
};

export const postKeys: typeof keyTexts = {
  editText: 'Text bearbeiten',
  editTitle: 'Titel bearbeiten',
  comment: 'Kommentar schreiben',
  follow: 'Benachrichtigungen wählen',
  like: 'Gefällt mir',
  actions: 'Aktionen für den Beitrag',
  step: 'Zu den Schritten',
};
