/** Names of the built-in roles by id, in Italian. */
export const builtInRoles: Readonly<Record<number, string>> = {
  1: 'Gestore',
  2: 'Collaboratore',
  3: 'Lettore',
  4: 'Amministratore dell’area',
  5: 'Ospite',
};
