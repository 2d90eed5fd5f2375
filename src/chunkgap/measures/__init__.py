"""What a run is worth, per query: one file per measure, every score in [0, 1], higher is better.

Two families. Document measures (`recall`, `success`, `ndcg`, `rr`) see the grades of the documents inside a
cutoff, in rank order, and the `Judgements`. Evidence measures see a `Coverage`: how many characters were
required, retrieved, and both. `specification` knows the names, `scoring` goes from a name to its scores.

A score that is not defined for a query (nothing relevant, no spans, no answers) is NaN: the query is left out
of that measure's means, and counted. A query that has labels and no results scores 0.
"""
