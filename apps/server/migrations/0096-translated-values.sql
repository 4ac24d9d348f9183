-- Labels of values and names of sections in other languages, by language code.
ALTER TABLE field_enum_values ADD COLUMN translations jsonb NOT NULL DEFAULT '{}';
ALTER TABLE fields ADD COLUMN section_translations jsonb NOT NULL DEFAULT '{}';
