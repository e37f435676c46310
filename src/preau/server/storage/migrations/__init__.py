"""The database's history, one numbered step a file. A server brings its database up to date when it starts."""
