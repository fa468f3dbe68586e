"""Annotating and training on Dask: files to files, bags, data frames, shards; imported on demand (the extra ``dask``).

`files` is the loop over the files of a run, `worker` what a worker does to one of them. `shared` brings a model to the
workers. `clusters` starts local workers or finds a scheduler. `collections` is for dask.bag, dask.dataframe and texts,
`tables` for Parquet. `training` has the shards of a training on workers.
"""

from sapwood.optional import require

for library in ("dask", "distributed"):
    require(library, "work on Dask")

from sapwood.dask.clusters import connected  # noqa: E402
from sapwood.dask.collections import annotate_bag, annotate_column, annotate_texts  # noqa: E402
from sapwood.dask.files import FileDone, Summary, annotate_files  # noqa: E402
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
