"""Names that users of other libraries try, and what to write instead."""

_ALL = "`images` is an array"
_SOME = "choose records, as in d[:1000], d[[3, 7]] or d[d.labels == 3]"
_TWO = "d[:800] and d[800:] are sets, and scikit-learn's `train_test_split(*d.arrays())` shuffles"
_BATCHES = "`d.batches(64, shuffle=1)` are shuffled batches"
_AGAIN = "each epoch, iterate over `d.batches(64, shuffle=epoch)`"
_NAMES = "`classes` is a dict from a label to its name"
_CHANGED = "change the array `images`, and make `Set(images, labels)`"
_BOTH = "join the arrays with `np.concatenate`, and make `Set(images, labels)`"
_TENSORS = "`torch.utils.data.DataLoader(d, batch_size=64)` takes a set, and `torch.from_numpy` its arrays"
_TABLE = "`pandas.DataFrame(d.images.reshape(len(d), -1))` is a table"
_ONE_HOT = "`np.eye(10)[d.labels]` is one-hot"
_COUNTS = "`np.unique(d.labels, return_counts=True)` counts the labels"
_DRAWN = "matplotlib's `plt.imshow(d.images[0])` draws an image"
_SAVED = "`idxfile.save(path, d.images)` writes one array"

_ARRAYS = "x_train X_train y_train x_test X_test y_test train_images train_labels test_images test_labels".split()

ATTRIBUTES = {
    **dict.fromkeys("x X data image features tensors".split(), "take its `images`"),
    **dict.fromkeys("y label target targets".split(), "take its `labels`"),
    **dict.fromkeys("train test val valid validation".split(), "it was read as one part, which is this set itself"),
    **dict.fromkeys(_ARRAYS, "it was read as one part: `x, y = d.arrays()`"),
    **dict.fromkeys("shape dtype size ndim nbytes T astype reshape flatten ravel mean std min max sum".split(), _ALL),
    **dict.fromkeys("take skip head tail filter only select sample".split(), _SOME),
    **dict.fromkeys("split random_split train_test_split fold stratified".split(), _TWO),
    **dict.fromkeys("batch shuffle shuffled iter_batches dataloader loader".split(), _BATCHES),
    **dict.fromkeys("repeat prefetch cache epochs".split(), _AGAIN),
    **dict.fromkeys("num_classes n_classes class_names names label_names target_names class_to_idx".split(), _NAMES),
    **dict.fromkeys("map transform normalize scale resize".split(), _CHANGED),
    **dict.fromkeys("append extend concat concatenate union".split(), _BOTH),
    **dict.fromkeys("to_torch to_tensor torch with_format set_format".split(), _TENSORS),
    **dict.fromkeys("to_tf_dataset as_numpy_iterator".split(), "`tf.data.Dataset.from_tensor_slices(d.arrays())`"),
    **dict.fromkeys("to_pandas to_frame frame describe iloc loc columns column_names to_csv".split(), _TABLE),
    **dict.fromkeys("num_rows num_examples count length".split(), "`len(d)` counts the records"),
    **dict.fromkeys("one_hot to_categorical".split(), _ONE_HOT),
    **dict.fromkeys("value_counts unique class_counts".split(), _COUNTS),
    **dict.fromkeys("plot show imshow".split(), _DRAWN),
    **dict.fromkeys("save write export dump".split(), _SAVED),
    **dict.fromkeys("DESCR info description summary".split(), "`print(d.reading)` says how it was understood"),
    **dict.fromkeys(["numpy", "to_numpy"], "`images, labels = d.arrays()` are NumPy arrays"),
    "copy": "`copy.deepcopy(d)` is a copy",
}

OF_PARTS = dict.fromkeys(_ARRAYS, "`(x_train, y_train), (x_test, y_test) = d.arrays()`")

_LOADS = "read imread loads load_file load_images load_labels convert_from_file read_idx parse".split()
_FETCHES = "mnist MNIST FashionMNIST KMNIST EMNIST QMNIST load_data load_mnist fetch_openml datasets download".split()
_OPENS = "Dataset DataSet load_dataset open_set ImageFolder read_csv loadtxt".split()

FUNCTIONS = {
    **dict.fromkeys(_LOADS, "`load(path)` reads an array"),
    **dict.fromkeys("write dump dumps convert_to_file write_idx".split(), "`save(path, array)` writes an array"),
    **dict.fromkeys(_FETCHES + _ARRAYS, '`fetch("mnist")` is a set'),
    **dict.fromkeys(_OPENS, "`open(path)` reads a set"),
    **dict.fromkeys("stream iter batches Reader DataLoader".split(), "`records(path, size)` reads any file in batches"),
}

_PART = "a part is in the path, such as mnist/:train"
_ASTYPE = "convert the array, as in `load(path).astype(\"float32\")`"

PARAMETERS = {
    "size": "`idx convert --size 28x28` resizes pictures, and `open(path).batches(size)` are batches",
    "batch_size": "`open(path).batches(64)` and `records(path, 64)` are batches",
    "shuffle": "`open(path).batches(size, shuffle=seed)` shuffles in memory",
    "label": "it is `label_column` for a column, `labels` for a file",
    "mode": "a file is only read; `save` writes one",
    "flatten": "`shape` sets the shape of a record, such as `shape=784`",
    **dict.fromkeys(["train", "split", "part", "subset"], _PART),
    **dict.fromkeys(["streaming", "chunksize", "nrows"], "`records(path, size)` reads a file of any size in batches"),
    **dict.fromkeys(["usecols", "index_col", "exclude"], "`skip` leaves out columns"),
    **dict.fromkeys(["image_size", "target_size", "color_mode"], "`idx convert --size --channels` changes pictures"),
    **dict.fromkeys(["transform", "target_transform", "normalize", "scale"], _CHANGED),
    **dict.fromkeys(["return_X_y", "as_supervised", "as_frame"], "`x, y = open(path).arrays()`"),
}

OF_RECORDS = {**PARAMETERS, "batch_size": "it is `size`"}

OF_ARROW = {**PARAMETERS, **dict.fromkeys(["size", "batch_size"], "`records(path, size)` reads batches of a chosen size")}

OF_LOAD = {
    "dtype": _ASTYPE,
    "astype": _ASTYPE,
    "shape": "reshape the array, as in `load(path).reshape(-1, 784)`",
    "mmap_mode": "`memmap(path)` maps a file",
    **dict.fromkeys(["count", "offset", "max_rows"], "choose records of the array, as in `load(path)[:10]`"),
    **dict.fromkeys(["labels", "label_column", "classes", "column"], "`open` reads images with their labels"),
}

OF_SAVE = {
    "dtype": "convert the array, as in `array.astype(\"float32\")`",
    "labels": "a file is one array; write the labels with a second call",
    **dict.fromkeys(["mode", "overwrite", "exist_ok"], "an existing file is replaced"),
    **dict.fromkeys(["gzip", "compress", "compressed", "compression", "compresslevel"], "a name that ends in .gz is compressed"),
}

OF_BATCHES = {
    "batch_size": "it is `size`",
    "drop_remainder": "it is `drop_last`",
    **dict.fromkeys(["seed", "random_state", "rng"], "`shuffle` is the seed, such as the number of the epoch"),
    **dict.fromkeys(["num_workers", "pin_memory", "collate_fn"], _TENSORS),
}

OF_FETCH = {
    "root": "it is `folder`",
    "download": "missing files are downloaded",
    **dict.fromkeys(["train", "part", "subset"], '`fetch("mnist").train` is a part'),
    "split": '`fetch("emnist-letters")` is a set, and its `train` a part',
    **dict.fromkeys(["transform", "target_transform", "normalize"], _CHANGED),
    **dict.fromkeys(["return_X_y", "as_supervised", "as_frame"], '`x, y = fetch("mnist").train.arrays()`'),
}


def expect_none(unknown, instead, known):
    """Raise for parameters that a function does not have; ``known`` are its own."""
    for name in unknown:
        raise TypeError(f"there is no parameter {name}; {instead.get(name, f'there are {known}')}")
