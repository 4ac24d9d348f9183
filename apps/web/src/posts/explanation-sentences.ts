/**
 * Clauses of the portal's explanations in the languages of the page. The interface sends them in
 * English.
 */
export interface Sentences {
  /**
   * @param clause in English
   * @returns the translated clause, or the English one if there is no translation
   */
  say(clause: string): string;
  list(clauses: readonly string[]): string;
  because(what: string, reason: string): string;
}

/** Actions: the words after `You may` and `You may not`. `*` is a name. */
const ACTIONS: Readonly<Record<string, string>> = {
  'read the post': 'leggere il post',
  'edit the post': 'modificare il post',
  'copy the post': 'copiare il post',
  'delete the post': 'eliminare il post',
  'read the comments': 'leggere i commenti',
  'comment on the post': 'commentare il post',
  'like the post': 'mettere “mi piace” al post',
  'follow the post': 'seguire il post',
  'change the attachments of the post': 'modificare gli allegati del post',
  'make the post private or public': 'rendere il post privato o pubblico',
  'create tasks on the post': 'creare attività nel post',
  'edit the screen of the present state': 'modificare il modulo dello stato attuale',
  'pin the post': 'fissare il post',
  'make the post an announcement': 'rendere il post un annuncio',
  'ask people to acknowledge the post': 'chiedere la conferma di lettura del post',
  'acknowledge the post': 'confermare la lettura del post',
  'edit own comments': 'modificare i tuoi commenti',
  'edit comments of others': 'modificare i commenti degli altri',
  'delete own comments': 'eliminare i tuoi commenti',
  'delete comments of others': 'eliminare i commenti degli altri',
  'answer the invitation to the event': "rispondere all'invito all'evento",
  'run the transition “*”': 'eseguire il passaggio “*”',
  'read the task': "leggere l'attività",
  'edit the task': "modificare l'attività",
  'change the state of the task': "cambiare lo stato dell'attività",
  'copy the task': "copiare l'attività",
  'delete the task': "eliminare l'attività",
  'comment on the task': "commentare l'attività",
  'change the attachments of the task': "modificare gli allegati dell'attività",
  'change the reminders of the task': "modificare i promemoria dell'attività",
};

/** Clauses for deciding facts. `*` is a name, in the same order in both languages. */
const FACTS: Readonly<Record<string, string>> = {
  'you have no role in the community': 'non hai un ruolo nella comunità',
  'you have a role in the community': 'hai un ruolo nella comunità',
  'you have no role in the community, not *': 'non hai un ruolo nella comunità, ma serve quello di *',
  'you have the role * in the community, not *': 'nella comunità hai il ruolo di *, non di *',
  'you have what counts as the role * in the community, not *': 'nella comunità hai un ruolo pari a *, non a *',
  'you have what counts as no role in the community, not *': 'il tuo ruolo nella comunità non vale quanto *',
  'you have what counts as the role * in the community': 'nella comunità hai un ruolo pari a *',
  'you have the role “*” in the community': 'hai il ruolo “*” nella comunità',
  'you do not have the role “*” in the community': 'non hai il ruolo “*” nella comunità',
  'you have a role of the organisation in the community': "hai un ruolo dell'organizzazione nella comunità",
  'you do not have a role of the organisation in the community':
    "non hai un certo ruolo dell'organizzazione nella comunità",
  'you have the role * in the community': 'nella comunità hai il ruolo di *',
  'you have the permission * in the community': 'hai il permesso * nella comunità',
  'you lack the permission * in the community': 'ti manca il permesso * nella comunità',
  'you are in the group “*”': 'fai parte del gruppo “*”',
  'you are not in the group “*”': 'non fai parte del gruppo “*”',
  'you are in a group that you cannot see': 'fai parte di un gruppo che non puoi vedere',
  'you are not in a group that you cannot see': 'non fai parte di un gruppo che non puoi vedere',
  'the account is open': "l'account è attivo",
  'the account is blocked': "l'account è bloccato",
  'the post is there': 'il post esiste',
  'the post is deleted': 'il post è eliminato',
  'the post is published': 'il post è pubblicato',
  'the post is a draft': 'il post è una bozza',
  'the post is a draft or deleted': 'il post è una bozza o è eliminato',
  'the post is a draft that you wrote': 'il post è una tua bozza',
  'the post is a draft of somebody else': "il post è una bozza di un'altra persona",
  'the post is public': 'il post è pubblico',
  'the post is private': 'il post è privato',
  'you wrote the post': 'hai scritto tu il post',
  'you did not write the post': 'non hai scritto tu il post',
  'the post names you or a group that you are in': 'il post nomina te o un tuo gruppo',
  'you are neither a watcher of the post, nor invited, nor named by a task or a field of it, alone or by a group':
    'non osservi il post, non hai un invito e nessuna sua attività né suo campo nomina te o un tuo gruppo',
  'you are asked to acknowledge the post': 'ti è chiesta la conferma di lettura del post',
  'you have no open request to acknowledge the post': 'non ti è chiesta la conferma di lettura del post',
  'comments are open to readers of the community': 'i commenti sono visibili ai lettori della comunità',
  'comments are hidden from readers of the community': 'i commenti sono nascosti ai lettori della comunità',
  'the community is open': 'la comunità è aperta',
  'the community is being prepared': 'la comunità è in preparazione',
  'the community is in use': 'la comunità è in uso',
  'the community is archived': 'la comunità è archiviata',
  'the community has event posts': 'la comunità ha gli eventi',
  'the community has no event posts': 'la comunità non ha gli eventi',
  'the community has likes': 'la comunità ha i “mi piace”',
  'the community has no likes': 'la comunità non ha i “mi piace”',
  'the community has watchers': 'la comunità ha gli osservatori',
  'the community has no watchers': 'la comunità non ha gli osservatori',
  'the community has attachments': 'la comunità ha gli allegati',
  'the community has no attachments': 'la comunità non ha gli allegati',
  'the community has requests to acknowledge posts': 'la comunità ha le conferme di lettura',
  'the community has no requests to acknowledge posts': 'la comunità non ha le conferme di lettura',
  'the workflow opens it to some': 'il flusso di lavoro lo consente ad alcuni',
  'the workflow opens it to nobody': 'il flusso di lavoro non lo consente a nessuno',
  'the post names you in a field': 'un campo del post ti nomina',
  'the post does not name you in a field': 'nessun campo del post ti nomina',
  'the post is in the state “*”': 'il post è nello stato “*”',
  'the post is not in the state “*”, from which the transition leads':
    'il post non è nello stato “*”, da cui parte il passaggio',
  'work goes on in the state “*”': 'il lavoro continua nello stato “*”',
  'work ends in the state “*”': 'il lavoro finisce nello stato “*”',
  'the state “*” is in use': 'lo stato “*” è in uso',
  'the state “*” is out of use': 'lo stato “*” non è più in uso',
  'the transition is in use': 'il passaggio è in uso',
  'the transition is out of use': 'il passaggio non è più in uso',
  'the state “*” has a screen': 'lo stato “*” ha un modulo',
  'the state “*” has no screen': 'lo stato “*” non ha un modulo',
  'the post is in no state of a workflow': 'il post non è in uno stato di un flusso di lavoro',
  'a condition on a field that you cannot see is fulfilled':
    'è soddisfatta una condizione su un campo che non puoi vedere',
  'a condition on a field that you cannot see is not fulfilled':
    'non è soddisfatta una condizione su un campo che non puoi vedere',
  'the field “*” is empty': 'il campo “*” è vuoto',
  'the field “*” is not empty': 'il campo “*” non è vuoto',
  'the field “*” holds one of *': 'il campo “*” contiene uno di *',
  'the field “*” holds none of *': 'il campo “*” non contiene nessuno di *',
  'the field “*” is at least *': 'il campo “*” è almeno *',
  'the field “*” is not at least *': 'il campo “*” è meno di *',
  'the field “*” is at most *': 'il campo “*” è al massimo *',
  'the field “*” is not at most *': 'il campo “*” è più di *',
  'the task is there': "l'attività esiste",
  'the task is deleted': "l'attività è eliminata",
  'you created the task': "hai creato tu l'attività",
  'you did not create the task': "non hai creato tu l'attività",
  'the task is assigned to you, alone or by a group': "l'attività è assegnata a te o a un tuo gruppo",
  'the task is not assigned to you': "l'attività non è assegnata a te",
  'the task is no request to acknowledge the post': "l'attività non è una richiesta di conferma di lettura",
  'the task is a request to acknowledge the post': "l'attività è una richiesta di conferma di lettura",
  'tasks have no copies': 'le attività non si copiano',
  'tasks have no comments': 'le attività non hanno commenti',
};

/** Names of roles. */
const ROLES: Readonly<Record<string, string>> = {
  manager: 'gestore',
  contributor: 'collaboratore',
  reader: 'lettore',
  'workspace administrator': "amministratore dell'area di lavoro",
  guest: 'ospite',
};

/** Each clause as a pattern. Names are between “ and ”, so the first match is the right one. */
const patternsOf = (clauses: Readonly<Record<string, string>>) =>
  Object.entries(clauses).map(([english, other]) => ({
    pattern: new RegExp(`^${english.replaceAll('*', '(.+)')}$`),
    other,
  }));

let patterns: { readonly may: readonly Pattern[]; readonly facts: readonly Pattern[] } | undefined;
type Pattern = ReturnType<typeof patternsOf>[number];

function translate(clause: string, known: readonly Pattern[]): string | undefined {
  for (const { pattern, other } of known) {
    const found = pattern.exec(clause);
    if (!found) continue;
    let at = 0;
    return other.replaceAll('*', () => {
      const name = found[++at]!;
      return ROLES[name] ?? name;
    });
  }
  return undefined;
}

/** @returns the clause in Italian; undefined if there is no translation */
export function inItalian(clause: string): string | undefined {
  patterns ??= { may: patternsOf(ACTIONS), facts: patternsOf(FACTS) };
  const [, not, action] = /^You may (not )?(.*)$/.exec(clause) ?? [];
  if (action === undefined) return translate(clause, patterns.facts);
  const done = translate(action, patterns.may);
  return done && `${not ? 'Non puoi' : 'Puoi'} ${done}`;
}

export const ENGLISH: Sentences = {
  say: (clause) => clause,
  list: (clauses) => new Intl.ListFormat('en-GB').format(clauses),
  because: (what, reason) => `${what}, because ${reason}.`,
};

export const ITALIAN: Sentences = {
  say: (clause) => inItalian(clause) ?? clause,
  list: (clauses) => new Intl.ListFormat('it').format(clauses),
  because: (what, reason) => `${what}, perché ${reason}.`,
};
