"""Statistics from the log: what finished public matches say about seats, bots, boards, cards and shuffles.

A match becomes counts (`counting`), whole numbers that are added up (`totals`), and those become tables with
rates and intervals (`tables`). Since everything is a sum, adding a match when it ends and adding all of them
again give the same numbers. Forks, imports and matches that are not over never count.
"""
