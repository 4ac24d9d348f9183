/** The name by which a person or account is called in sentences: SQL over a row of `users`. Accounts of programs have no first name. */
export function fullNameSql(alias: string): string {
  return `concat_ws(' ', nullif(${alias}.first_name, ''), nullif(${alias}.last_name, ''))`;
}
