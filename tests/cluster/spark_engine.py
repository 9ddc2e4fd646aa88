"""Spark computes over the shards: a driver and two executors, each a process of its own.

Usage: spark_engine.py IDX IMAGES LABELS SHARDS, the command, the source, and the folder with the shards
of both layouts. Writes into the working folder.
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile
import urllib.request

import numpy
import pyspark
from comparison import Comparison
from pyspark.sql import SparkSession

EXECUTORS = 2
LABEL_COUNTS = "SELECT label, count(*) FROM list GROUP BY label"
MEAN_IMAGE = """
    SELECT avg(pixel) FROM list LATERAL VIEW posexplode(record) AS place, pixel
    GROUP BY place ORDER BY place
"""
# The columns of the result of a task.
PART = "records long, sums array<long>, parent long"


def main(idx, images, labels, shards):
    comparison = Comparison(f"Spark {pyspark.__version__}", idx, images, labels)
    spark = start()
    tables = {layout: spark.read.parquet(f"{shards}/{layout}") for layout in ["list", "binary"]}
    for layout, table in tables.items():
        table.createOrReplaceTempView(layout)
        expect(table.rdd.getNumPartitions() == 16, f"Spark does not make 16 tasks of 16 shards in {layout}")

    def write(layout):
        # Spark reads files in the order of their sizes, but knows the file and the row of each record.
        sorted_table = tables[layout].orderBy("_metadata.file_name", "_metadata.row_index")
        path = f"{layout}.parquet"
        types = ["--as", "u8", "--labels-as", "u8"]
        comparison.back(
            f"{layout}: sort and write, back to IDX", path, lambda: sorted_table.write.parquet(path), *types
        )

    comparison.label_counts("list: count of each label, SQL, the first job", lambda: spark.sql(LABEL_COUNTS).collect())
    comparison.mean_images("list: mean image, SQL", lambda: [mean for (mean,) in spark.sql(MEAN_IMAGE).collect()])
    write("list")
    comparison.mean_images("binary: mean image, mapInArrow and NumPy", lambda: mean_of_bytes(tables["binary"]))
    write("binary")
    tasks = tasks_of_executors(spark.sparkContext)
    print(f"tasks of each executor: {tasks}")
    expect(len(tasks) == EXECUTORS and all(tasks.values()), f"{EXECUTORS} executors should have worked")
    spark.stop()
    comparison.finish()


def start():
    """Starts Spark on this machine only, with all its files in the working folder."""
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    temporary = tempfile.mkdtemp(dir=".")
    os.environ["JAVA_TOOL_OPTIONS"] = f"-Djava.io.tmpdir={os.path.abspath(temporary)}"
    settings = {
        "spark.local.dir": os.path.abspath(temporary),
        # A file counts as a full task, so that no task takes two shards.
        "spark.sql.files.openCostInBytes": "128m",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.ui.port": "0",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master(f"local-cluster[{EXECUTORS},1,1024]")
    return builder.config(map=settings).getOrCreate()


def mean_of_bytes(table):
    parts = table.select("record").mapInArrow(sums_of_bytes, PART).collect()
    expect(len(parts) == 16, f"{len(parts)} tasks instead of 16")
    parents = {part.parent for part in parts}
    expect(len(parents) == EXECUTORS, f"the tasks ran below {len(parents)} processes instead of {EXECUTORS}")
    return numpy.sum([part.sums for part in parts], axis=0) / sum(part.records for part in parts)


def sums_of_bytes(batches):
    """Returns the sum of each pixel over the records of a shard. Runs in an executor."""
    import pyarrow

    count, sums = 0, 0
    for batch in batches:
        records = b"".join(batch.column("record").to_pylist())
        pixels = numpy.frombuffer(records, numpy.uint8).reshape(batch.num_rows, -1)
        count += batch.num_rows
        sums += pixels.sum(axis=0, dtype=numpy.int64)
    part = {"records": count, "sums": sums.tolist(), "parent": os.getppid()}
    yield pyarrow.RecordBatch.from_pylist([part])


def tasks_of_executors(context):
    """Returns the number of tasks that each executor has completed, as Spark reports it."""
    address = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/executors"
    with urllib.request.urlopen(address) as answer:
        executors = json.load(answer)
    return {executor["id"]: executor["completedTasks"] for executor in executors if executor["id"] != "driver"}


def expect(is_so, message):
    if not is_so:
        sys.exit(message)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    finally:
        # Executors leave this folder where Spark was installed.
        shutil.rmtree(pathlib.Path(pyspark.__file__).parent / "work", ignore_errors=True)
