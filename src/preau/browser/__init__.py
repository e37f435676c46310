"""The host in the browser: it answers what the server answers, without a server. It runs in a Pyodide worker.

`entry` is what the worker of the page calls with one of the `commands`. `router` and `answers` answer requests; `host`
answers messages and puts questions to the worker that thinks (`preau.host.questions`); both use the types of
`preau.table.protocol`. `local_table` is one table, `viewer` a connection to it, and `reviews` runs the reviews.
`effects` is what follows from a call: rows to store, messages to send, questions. Nothing here waits or does I/O.
"""
