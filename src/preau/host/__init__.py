"""What the server and the browser share to host tables, without I/O: no sockets, processes or database.

`catalogue` describes the games on offer, `queries` answers questions about games, records and puzzles, `learning`
builds the answers about exercises and puzzles. `bot_round` asks bots for decisions. `questions` are the messages to a
`think_worker`, which answers questions to bots and those of hints and reviews; `bot_cache` keeps the bots that live
there. `identifiers` makes ids and tokens, `body_limits` bounds what is sent, and `refusals` maps refusals to HTTP
statuses.
"""
