"""What whoever hosts tables answers and asks, without anything that reaches outside: no socket, process or database.

`shelf` is what is on offer, `lookups` what is looked up in games, records and puzzles, `learning` how exercises and
puzzles are told. `deciding` asks bots, `thinking` answers for them and for hints and reviews, wherever that is done;
`kept_bots` are the bots that live there. `names` are ids and tokens, `refusals` what a host refuses.

The server and the browser host tables (`preau.table`) with these, each in its own way.
"""
