"""What a table is, without anything that reaches outside: no database, socket, event loop, thread or process.

`table` says who sits where, `seating` who may do what about it, each a function from one table to the next. `log` is
what was done, `live` the game that follows from it: it plans a step, and takes it once whoever keeps the log has
written it down. `acting`, `clocks` and `undo` are the questions asked on the way, `eyes` and `showing` what each pair
of eyes sees and is told, `chat` what people say, `replay` a finished game, `onward` where one is played on from,
`series` what an evening has come to. `wire` is every message there is.

The server wraps it with storage, rooms, leases and processes; others may wrap it in their own way.
"""
