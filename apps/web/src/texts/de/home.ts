/** Texts of Home, tasks, people, search and palette in German. */
import type { en as homeTexts } from '../../home/texts.ts';
import type { en as paletteTexts } from '../../palette/texts.ts';
import type { en as searchTexts } from '../../search/texts.ts';
import type { en as taskTexts } from '../../tasks/texts.ts';
import type { en as peopleTexts } from '../../users/texts.ts';
import { german } from './plural.ts';

export const home: typeof homeTexts = {
  waiting: 'Wartet auf mich',
  notifications: 'Benachrichtigungen',
  drafts: 'Entwürfe',
  recent: 'Zuletzt gelesen',
  waitingEmpty: 'Nichts wartet auf Sie.',
  notificationsEmpty:
    'Keine Benachrichtigungen. Sie erhalten eine, wenn jemand Sie erwähnt, Ihnen antwortet oder eine Aufgabe zuweist, oder wenn sich ein Beitrag ändert, den Sie verfolgen.',
  draftsEmpty: 'Keine Entwürfe.',
  recentEmpty: 'Hier erscheinen Beiträge, die Sie lesen.',
  reasons: { 1: 'Aufgabe', 2: 'Bitte bestätigen', 3: 'Hat Sie erwähnt', 4: 'Ihr Schritt' },
  kinds: {
    1: 'hat Sie erwähnt',
    2: 'hat Ihnen eine Aufgabe zugewiesen',
    3: 'hat Ihnen geantwortet',
    4: 'hat den Beitrag geändert',
    5: 'hat einen Schritt ausgeführt',
    7: 'hat eine Ankündigung veröffentlicht',
  },
  taskDue: ['Ihre Aufgabe ist bald fällig', 'Ihre Aufgabe ist überfällig'],
  tookStep: (name, step) => `${name} hat den Schritt „${step}“ ausgeführt`,
  mentionedYou: (name) => `${name} hat Sie erwähnt`,
  acknowledge: 'Ich habe es gelesen',
  acknowledged: 'Bestätigt.',
  reply: 'Antworten',
  replyTo: (name) => `${name} antworten`,
  send: 'Senden',
  remove: 'Aus der Liste entfernen',
  closeTask: 'Aufgabe abschließen',
  markAllRead: 'Alle als gelesen markieren',
  allRead: 'Alle Benachrichtigungen sind als gelesen markiert.',
  removed: 'Aus der Liste entfernt.',
  taskClosed: 'Die Aufgabe wurde abgeschlossen.',
  replied: (name) => `Ihre Antwort an ${name} wurde gesendet.`,
  due: (when) => `fällig ${when}`,
  overdue: (when) => `überfällig seit ${when}`,
  scheduled: (when) => `wird veröffentlicht ${when}`,
  changedSince: 'seit dem Lesen geändert',
  more: 'Mehr anzeigen',
  failed: 'Die Änderung ist fehlgeschlagen.',
};

export const palette: typeof paletteTexts = {
  placeholder: 'Alles, Seiten und Aktionen suchen',
  recent: 'Zuletzt gelesen',
  results: 'Ergebnisse',
  resultsOf: (shown, total) => `Ergebnisse: ${shown} von ${total}`,
  all: (total) => `Alle Ergebnisse (${total})`,
  narrow: 'Filtern nach',
  everywhere: (text) => `Überall nach „${text}“ suchen`,
  pages: 'Seiten',
  deleted: 'Gelöschte Beiträge',
  actions: 'Aktionen',
  light: 'Helle Darstellung',
  dark: 'Dunkle Darstellung',
};

export const search: typeof searchTexts = {
  title: 'Suche',
  placeholder: 'Beiträge, Kommentare, Aufgaben, Dateien und Personen suchen',
  hint: 'Geben Sie einige Wörter ein. Grenzen Sie ein mit in:Community, by:Person, state:Name, before:2026-03, has:file, "eine Wendung" oder -Wort.',
  nothing: 'Nichts enthält diese Wörter.',
  community: 'Community',
  kind: 'Art',
  kinds: {
    post: 'Beiträge',
    comment: 'Kommentare',
    task: 'Aufgaben',
    file: 'Dateien',
    person: 'Personen',
    community: 'Communitys',
  },
  count: (count) => german(count, { one: '1 Ergebnis', other: `${count} Ergebnisse` }),
  atLeast: (shown) => `${shown} oder mehr Ergebnisse`,
  corrected: (words) => `Ergebnisse für „${words}“`,
  someWords: 'Nichts enthält alle diese Wörter. Diese Ergebnisse enthalten einige davon.',
  ignored: (parts) => `Unbekannt und daher nicht beachtet: ${parts}`,
  indexing: 'Die Suche wird vorbereitet: Einige Kommentare, Aufgaben und Dateien werden noch nicht gefunden.',
  restricted:
    'Texte von Feldern, die nur manche sehen, werden mit dem Namen des Feldes gefunden, als Bezeichnung:Wert.',
  inPost: (title) => `in ${title}`,
  more: 'Weitere Ergebnisse',
  alsoFinds: 'Die Suche findet außerdem:',
  correctedFinds: (words) => `Die Suche findet „${words}“:`,
};

export const tasks: typeof taskTexts = {
  relations: { assigned: 'Mir zugewiesen', created: 'Von mir erstellt', watched: 'Von mir beobachtet', any: 'Alle' },
  open: 'Offen',
  closed: 'Abgeschlossen',
  allCommunities: 'Alle Communitys',
  overdue: 'Überfällig',
  today: 'Heute',
  week: 'Nächste sieben Tage',
  later: 'Später',
  undated: 'Ohne Fälligkeit',
  finished: 'Abgeschlossen',
  empty: 'Keine Aufgaben.',
  emptyHint: 'Aufgaben gehören zu Beiträgen. Öffnen Sie einen Beitrag, um eine hinzuzufügen.',
  close: (title) => `Aufgabe ${title} abschließen`,
  reopen: (title) => `Aufgabe ${title} wieder öffnen`,
  wasClosed: 'Die Aufgabe wurde abgeschlossen.',
  wasOpened: 'Die Aufgabe wurde wieder geöffnet.',
  failed: 'Die Änderung ist fehlgeschlagen.',
  review: 'in Prüfung',
  priorities: { 1: 'Niedrig', 2: 'Normal', 3: 'Hoch', 4: 'Dringend' },
  checklist: (done, all) => `${done} von ${all} erledigt`,
  due: 'Fälligkeit',
  anyDue: 'Jederzeit fällig',
  priority: 'Priorität',
  anyPriority: 'Jede Priorität',
  closeKey: 'Aufgabe abschließen oder wieder öffnen',
};

export const people: typeof peopleTexts = {
  find: 'Personen suchen',
  allCommunities: 'Alle Communitys',
  nobody: 'In Ihren Communitys ist noch niemand sonst.',
  nobodyFound: 'Niemand gefunden.',
  postsIn: 'Beiträge in',
  members: (count) => german(count, { one: '1 Mitglied', other: `${count} Mitglieder` }),
};
