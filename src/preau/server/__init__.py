"""Live tables: the server.

`config` says how it is set up, `app` puts it together, `http` and `sockets` are its two doors. `tables` is the service
behind both: it knows who sits where (`store`) and what is on the table (`live`, rebuilt from the action log). `bus`
carries news between processes, `bots_runner`, `clocks`, `speed` and `housekeeping` are what happens without anybody's
message, `wire` is every message there is, `page` the files of the page. Games are known here only through the contract
of `preau.core`.
"""
