"""The server: live tables for many clients. `preau.table` holds the rules of a table, this package does the I/O.

`config` and `settings` say how it is set up, `app` assembles the ASGI app, `services` builds and opens its parts, and
`runner` runs it with uvicorn. The packages, from the lowest:

- `storage`: the database. `cluster`: messages between processes. `transport`: uvicorn's protocol classes. `workers`:
  processes that answer questions.
- `tables`: live tables, from loading to what their viewers are sent. `commands`: what players do at them.
- `notifications`: turn notifications. `background`: what happens without a client's message.
- `websocket` and `http`: what clients talk to.

Games are known here only through the contract of `preau.core`.
"""
