-- The service knows the types of fields and refuses others where fields are defined; a new type needs no migration.
ALTER TABLE fields DROP CONSTRAINT fields_type_check, ADD CONSTRAINT fields_type_check CHECK (type > 0);
