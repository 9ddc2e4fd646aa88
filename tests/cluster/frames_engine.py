"""pandas, polars and Hugging Face's datasets compute over the shards.

Usage: frames_engine.py IDX IMAGES LABELS SHARDS, the command, the source, and the folder with the shards of all
layouts. Writes into the working folder.
"""

import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

import datasets
import numpy
import pandas
import polars
from comparison import Comparison


def main(idx, images, labels, shards):
    datasets.disable_progress_bars()
    for engine in [with_pandas, with_polars, with_datasets]:
        engine(idx, images, labels, f"{shards}/list")


def with_pandas(idx, images, labels, shards):
    comparison = Comparison(f"pandas {pandas.__version__}", idx, images, labels)
    frame = pandas.read_parquet(shards)
    comparison.label_counts("count of each label", lambda: frame.groupby("label").size().items())
    comparison.mean_images("mean image", lambda: numpy.stack(frame["record"]).mean(axis=0, dtype=numpy.float64))
    comparison.back("written, and back to IDX", "pandas.parquet", lambda: frame.to_parquet("pandas.parquet"))
    comparison.finish()


def with_polars(idx, images, labels, shards):
    comparison = Comparison(f"polars {polars.__version__}", idx, images, labels)
    frame = polars.scan_parquet(f"{shards}/*.parquet")
    size = comparison.height * comparison.width

    def mean_image():
        pixels = frame.select(pixel=polars.col("record").explode())
        places = pixels.with_columns(place=polars.int_range(polars.len()) % size)
        return places.group_by("place").agg(polars.col("pixel").mean()).sort("place").collect()["pixel"]

    comparison.label_counts("count of each label", lambda: frame.group_by("label").len().collect().rows())
    comparison.mean_images("mean image", mean_image)
    comparison.back("written, and back to IDX", "polars.parquet", lambda: frame.collect().write_parquet("polars.parquet"))
    comparison.finish()


def with_datasets(idx, images, labels, shards):
    comparison = Comparison(f"datasets {datasets.__version__}", idx, images, labels)
    digits = datasets.load_dataset("parquet", data_dir=shards, split="train", cache_dir="cache")
    comparison.label_counts("count of each label", lambda: zip(*numpy.unique(digits["label"][:], return_counts=True)))
    comparison.mean_images(
        "mean image", lambda: digits.with_format("numpy")["record"][:].mean(axis=0, dtype=numpy.float64)
    )
    comparison.back("written, and back to IDX", "datasets.parquet", lambda: digits.to_parquet("datasets.parquet"))
    comparison.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
