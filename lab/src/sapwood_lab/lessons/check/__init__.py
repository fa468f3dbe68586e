"""The checkers of the lessons' exercises, a module for each lesson.

A student runs a checker on the function that she wrote: ``check.viterbi(viterbi)``. It compares the function with the
laboratory, with the core if that is installed, or with an enumeration of all answers, on small random cases, and gives
a `Verdict`. The verdict says in what the function differs and on which case, but not what the answer is.
"""
