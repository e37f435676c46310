"""The host in the browser: it answers what the server answers, without a server. It runs in a Pyodide worker.

`entry` is what the worker of the page calls, with one of the `commands`. `host` answers requests and messages in the types of
`preau.table.protocol`, `local_table` is one of its tables, and `reviews` runs its reviews. `effects` is what follows
from a call: rows to store, messages to send, questions for the worker that thinks (`preau.host.think_worker`). Nothing
here waits or does I/O.
"""
