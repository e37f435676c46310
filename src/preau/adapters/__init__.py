"""Every game as an environment for learning: for PettingZoo, for Gymnasium, and many games at once in arrays.

What is asked of the machine is `pip install preau[rl]`; nothing here is loaded by the rest.
"""
