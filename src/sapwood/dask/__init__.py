"""Annotating and training on Dask: files to files, bags, data frames, shards; imported on demand (the extra ``dask``).

`collections` is for dask.bag, dask.dataframe and texts, and sends the files of a run (sapwood.batch.runs) to workers.
`shared` starts local workers or finds a scheduler, and brings a model to them. `training` has the shards of a
training on workers.
"""

from sapwood.base.optional import require

for library in ("dask", "distributed"):
    require(library, "work on Dask")

from sapwood.batch.runs import FileDone, Summary  # noqa: E402
from sapwood.dask.collections import annotate_bag, annotate_column, annotate_files, annotate_texts  # noqa: E402
from sapwood.dask.shared import connected  # noqa: E402
from sapwood.dask.training import ShardWorkers  # noqa: E402

__all__ = [
    "FileDone",
    "ShardWorkers",
    "Summary",
    "annotate_bag",
    "annotate_column",
    "annotate_files",
    "annotate_texts",
    "connected",
]
