"""Live tables: the server. What a table is stands in `preau.table`; here is what reaches outside.

`config` says how it is set up, `app` puts it together, `http` and `sockets` are its two doors. `hall` holds all parts
and hears, as their `observer`, what one has to tell another. `tables` keeps what is in use in memory (`loaded`), from
the database (`store`, `schema`). `play`, `undoing`, `seating`, `people` and `chat` change it; `rooms`, `greeting` and
`news` tell of it, here and between processes (`bus`). `bots_runner`, `clocks` with their `leases`, `calls` to people
whose turn it is (`calling`, `webpush`, `outside`, `mails`), and `housekeeping` are what happens without anybody's
message. `line` and `ends` are the server's end of a socket, `speed` measures it; `page` has the files of the page.
Games are known here only through the contract of `preau.core`.
"""
