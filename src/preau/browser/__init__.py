"""Tables on one's own device: what the server answers, without a server. It runs in a worker of the browser (Pyodide),
and as well anywhere else.

`house` answers requests and lines in the words of `preau.table.wire`, `local_table` is one of its tables, `reviewing`
its reviews, `effects` what follows from a call for whoever has storage, lines and a clock: rows to be written down,
messages to be sent once they are, questions for whoever thinks (`preau.hosting.thinking`). `worker` is what a worker of
the page calls. Nothing here waits, and nothing reaches outside.
"""
