"""Six lessons with exercises, for a course on the structured perceptron.

A lesson is a notebook, kept as text in the py:percent format of jupytext: ``lesson_2_features_and_viterbi.py``. Each
has four to six exercises. An exercise is a cell with a function that raises NotImplementedError, and the cell after it
runs a checker of `sapwood_lab.lessons.check` on that function. ``solutions`` has the cells that belong there.

``sapwood-lab lessons FOLDER`` writes the lessons to a folder as notebooks (``.ipynb``), and with
``--solutions`` as notebooks whose exercises are solved. Nothing here needs the core.

=============  =======================================================================
``check``      the checkers, a module for each lesson, and the verdicts that they give
``data``       generated sentences and points
``notebook``   the cells of a lesson, its exercises, its solutions, its ``.ipynb``
=============  =======================================================================
"""
