-- What a person asked about lately is looked up by who asked, and when.

CREATE INDEX request_asked ON request (actor, asked);
