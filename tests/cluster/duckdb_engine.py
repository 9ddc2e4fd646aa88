"""DuckDB computes over the shards in SQL.

Usage: duckdb_engine.py IDX IMAGES LABELS SHARDS, the command, the source, and the folder with the shards
of both layouts. Writes into the working folder.
"""

import sys

import duckdb
import numpy
from comparison import Comparison

LABEL_COUNTS = "SELECT label, count(*) FROM list GROUP BY label"
MEAN_IMAGE = """
    SELECT avg(pixel)
    FROM (SELECT unnest(record) AS pixel, generate_subscripts(record, 1) AS place FROM list)
    GROUP BY place ORDER BY place
"""
# The name is in quotes, as it is a word of SQL.
BYTES = 'SELECT record FROM "binary"'
BATCH = 8192


def main(idx, images, labels, shards):
    comparison = Comparison(f"DuckDB {duckdb.__version__}", idx, images, labels)
    connection = duckdb.connect()
    for layout in ["list", "binary"]:
        connection.read_parquet(f"{shards}/{layout}/*.parquet").create_view(layout)

    def query(sql):
        return connection.execute(sql).fetchall()

    def write(layout):
        path = f"{layout}.parquet"
        # DuckDB keeps the order of the records if it writes one file.
        comparison.back(
            f"{layout}: COPY, back to IDX",
            path,
            lambda: query(f"""COPY (FROM "{layout}") TO '{path}' (FORMAT parquet)"""),
        )

    comparison.label_counts("list: count of each label, SQL", lambda: query(LABEL_COUNTS))
    comparison.mean_images("list: mean image, SQL", lambda: [mean for (mean,) in query(MEAN_IMAGE)])
    write("list")
    comparison.mean_images("binary: mean image, DuckDB reads, NumPy adds", lambda: mean_of_bytes(connection))
    write("binary")
    comparison.finish()


def mean_of_bytes(connection):
    """Returns the mean image, added up by NumPy: DuckDB's SQL can only read a BLOB, not compute with its bytes."""
    cursor = connection.execute(BYTES)
    count, sums = 0, 0
    while rows := cursor.fetchmany(BATCH):
        pixels = numpy.frombuffer(b"".join(record for (record,) in rows), numpy.uint8).reshape(len(rows), -1)
        count += len(rows)
        sums += pixels.sum(axis=0, dtype=numpy.int64)
    return sums / count


if __name__ == "__main__":
    main(*sys.argv[1:])
