-- What a turn leaves behind for the ones after it: how it follows from the turns before, the choices that the person
-- made, whom its result shows. The session's filters, corrections and choices are the sum of these.

ALTER TABLE request ADD COLUMN said TEXT; -- JSON; null: nothing, or written before this column was
